#pragma once

#include "worker/workload/model.h"

#include <c10/core/Device.h>

namespace tune::worker {

/// Moves what the model holds to the device, as `model.to(device)` does; strides stay. To be called
/// before an optimizer has made state for the parameters.
void place_model(const Model& model, c10::Device device);

}  // namespace tune::worker
