#pragma once

#include "trial/trial_spec.h"
#include "worker/knob/knob_effect.h"
#include "worker/workload/model.h"

#include <memory>
#include <string>
#include <vector>

namespace tune::worker {

/// Names of the models that this worker can build, sorted.
std::vector<std::string> workload_names();

/// Throws std::invalid_argument with a sentence for the user when there is no such model, or none
/// of that shape; or when the file of the user's own is not there or has changed. To be asked
/// before anything is made in that shape.
void check_workload(const trial::Workload& workload);

/// The model that the workload names, its weights drawn from the workload's seed, or those of its
/// TorchScript archive. Checks a model of the catalogue first. Both ways of computing have the same
/// weights. A plug-in's model is made by PluginWorkload (worker/plugin/).
std::unique_ptr<Model> make_model(const trial::Workload& workload, const ModelSettings& settings);

/// The scripted module of the workload's archive, on the device of the trial. Throws
/// std::invalid_argument with a sentence for the user when the archive cannot be read, its module
/// has no forward of one argument, or nothing that could be trained. What forward() does with a
/// shape that it does not take is told when it is called.
std::unique_ptr<Model> make_torchscript(const trial::Workload& workload);

}  // namespace tune::worker
