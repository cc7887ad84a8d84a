#pragma once

#include "worker/workload/model.h"
#include "worker/workload/names.h"

#include <memory>

namespace tune::worker {

/// Throws std::invalid_argument with a sentence for the user when there is no such model, or none
/// of that shape. To be asked before anything is made in that shape.
void check_workload(const trial::Workload& workload);

/// The model that the workload names, its weights drawn from the workload's seed. Checks
/// the workload first.
std::unique_ptr<Model> make_model(const trial::Workload& workload);

}  // namespace tune::worker
