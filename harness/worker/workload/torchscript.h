#pragma once

#include "trial/trial_spec.h"
#include "worker/workload/model.h"

#include <memory>

namespace tune::worker {

/// The scripted module of the workload's archive, on the device of the trial. Throws
/// std::invalid_argument with a sentence for the user when the archive cannot be read, its module
/// has no forward of one argument, or nothing that could be trained. What forward() does with a
/// shape that it does not take is told when it is called.
std::unique_ptr<Model> make_torchscript(const trial::Workload& workload);

}  // namespace tune::worker
