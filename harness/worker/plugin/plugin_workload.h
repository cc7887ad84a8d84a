#pragma once

#include "trial/trial_spec.h"
#include "worker/data/loader.h"
#include "worker/plugin/loaded_plugin.h"
#include "worker/workload/model.h"

#include <memory>
#include <string>
#include <vector>

namespace tune::worker {

/// The model that the spec's plug-in made for this trial. What it returns uses it and may outlive
/// it.
class PluginWorkload {
 public:
  /// `device`: where the trial computes, "cpu" or "cuda:0". Throws std::invalid_argument with a
  /// sentence for the user, as LoadedPlugin does, or when the spec sets a knob that the plug-in
  /// does not have, or a value that it does not accept.
  PluginWorkload(const trial::TrialSpec& spec, const std::string& device);

  const std::vector<trial::Knob>& knobs() const { return plugin_.knobs(); }

  std::unique_ptr<Model> make_model() const;

  /// A loader for its own data. Throws std::invalid_argument when it has none, or another number of
  /// samples than the spec says.
  std::unique_ptr<Loader> make_loader() const;

 private:
  const trial::TrialSpec& spec_;
  LoadedPlugin plugin_;
  plugin::Workload* made_ = nullptr;
};

}  // namespace tune::worker
