#pragma once

#include "trial/knob_catalog.h"
#include "worker/plugin/workload.h"

#include <filesystem>
#include <string>
#include <vector>

namespace tune::worker {

/// A shared library that keeps the contract of worker/plugin/workload.h. It is never unloaded.
class LoadedPlugin {
 public:
  /// Throws std::invalid_argument with a sentence for the user: it is no library, none of tune's,
  /// was built against another LibTorch, another standard library or another version of the
  /// contract, or declares knobs that cannot be.
  explicit LoadedPlugin(const std::filesystem::path& file);

  const std::string& name() const { return name_; }                 ///< of its file
  const std::vector<trial::Knob>& knobs() const { return knobs_; }  ///< as "plugin.width"

  /// Throws std::invalid_argument with what the constructor throws, but for want of memory. Nobody
  /// destroys what it makes: the process ends with the trial.
  plugin::Workload& make(const plugin::Setup& setup) const;

 private:
  std::string name_;
  const plugin::Table* table_ = nullptr;
  std::vector<trial::Knob> knobs_;
};

}  // namespace tune::worker
