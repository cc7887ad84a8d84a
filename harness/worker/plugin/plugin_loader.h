#pragma once

#include "trial/trial_spec.h"
#include "worker/data/loader.h"
#include "worker/plugin/workload.h"

#include <memory>
#include <string>

namespace tune::worker {

/// A plug-in's own data as a loader without workers: whatever threads it has are its own. Throws
/// std::invalid_argument with a sentence for the user when its samples make no batch, or are not
/// as many as the spec says.
std::unique_ptr<Loader> make_plugin_loader(std::unique_ptr<plugin::DataSource> source,
                                           const std::string& name,
                                           const trial::TrialSpec& spec);

}  // namespace tune::worker
