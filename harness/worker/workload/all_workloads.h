#pragma once

#include "worker/workload/model.h"
#include "worker/workload/names.h"

#include <memory>

namespace tune::worker {

/// The model that the workload names, its weights drawn from the workload's seed. Throws
/// std::invalid_argument with a sentence for the user when it cannot be had.
std::unique_ptr<Model> make_model(const trial::Workload& workload);

}  // namespace tune::worker
