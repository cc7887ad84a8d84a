#pragma once

#include "worker/knob/knob_effect.h"

#include <ATen/core/Tensor.h>

namespace tune::worker {

/// What the loader delivered as the model wants it: float32, normalised, in the knob's layout. The
/// result is the same tensor when there is nothing to do.
at::Tensor make_model_input(const at::Tensor& images, StepSettings::Layout layout);

}  // namespace tune::worker
