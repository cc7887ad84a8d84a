#pragma once

#include "worker/workload/model.h"
#include "worker/workload/model_settings.h"
#include "worker/workload/names.h"

#include <memory>

namespace tune::worker {

/// Throws std::invalid_argument with a sentence for the user when there is no such model, or none
/// of that shape; or when the file of the user's own is not there or has changed. To be asked
/// before anything is made in that shape.
void check_workload(const trial::Workload& workload);

/// The model that the workload names, its weights drawn from the workload's seed, or those of its
/// TorchScript archive. Checks a model of the catalogue first. Both ways of computing have the same
/// weights. A plug-in's model is made by PluginWorkload (worker/plugin/).
std::unique_ptr<Model> make_model(const trial::Workload& workload, const ModelSettings& settings);

}  // namespace tune::worker
