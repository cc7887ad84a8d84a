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
/// of that shape, or when the user's file is missing or has changed. Call it before anything is
/// made in that shape.
void check_workload(const trial::Workload& workload);

/// The workload's model, with weights drawn from the workload's seed or read from its TorchScript
/// archive or its package. Checks a model of the catalogue first. Fused and composed models have
/// the same weights. PluginWorkload makes a plug-in's model (worker/plugin/).
std::unique_ptr<Model> make_model(const trial::Workload& workload, const ModelSettings& settings);

/// The scripted module of the workload's archive, on the device of the trial. Throws
/// std::invalid_argument with a sentence for the user when the archive cannot be read, its module
/// has no forward of one argument, or nothing to train. A shape that forward() does not accept is
/// reported when it is called.
std::unique_ptr<Model> make_torchscript(const trial::Workload& workload);

/// The compiled model of an AOTInductor package. Throws std::invalid_argument with a sentence for
/// the user when the file is none, holds no compiled code, or code for another device, CPU or
/// LibTorch. A shape that it was not compiled for is reported when it is called.
std::unique_ptr<Model> make_aot_package(const trial::Workload& workload);

/// Compiled code then checks its inputs. Before any thread is started.
void check_package_inputs();

}  // namespace tune::worker
