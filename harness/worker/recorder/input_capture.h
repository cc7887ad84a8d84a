#pragma once

#include "worker/recorder/input_bytes.h"

#include <ATen/record_function.h>

#include <string>
#include <vector>

namespace tune::worker {

/// Writes down the inputs of a call, in its start callback. Does not throw: of a tensor that has no
/// sizes nothing is written.
void capture_inputs(const at::RecordFunction& call, InputBytes& bytes);

/// Names of tensors' types as torch.profiler writes them ("float", "c10::BFloat16"), by their
/// number.
std::vector<std::string> dtype_names();

}  // namespace tune::worker
