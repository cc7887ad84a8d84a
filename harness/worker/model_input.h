#pragma once

#include "worker/knob/knob_effect.h"

#include <ATen/core/Tensor.h>

namespace tune::worker {

/// Makes of the images that the loader delivered what the model wants: float32, normalised, in the
/// knob's layout. What is no image, [N, 3, S, S] of uint8 or float32, stays as it is: tokens, and
/// what a plug-in makes. Its memory is used again in every step: a fresh buffer above glibc's 32
/// MiB mmap threshold costs a page fault for every 4 KiB, four times the work itself.
class ModelInput {
 public:
  explicit ModelInput(StepSettings::Layout layout);

  /// [N, 3, S, S], on the device of the images. Valid until the next call; the same tensor as
  /// `images` when there is nothing to do.
  at::Tensor make(const at::Tensor& images);

 private:
  void normalize_on_device(const at::Tensor& images, at::Tensor& out);

  at::MemoryFormat format_;
  at::Tensor buffer_;          // for the largest batch so far
  at::Tensor scale_, offset_;  // on the device, when there is one
};

}  // namespace tune::worker
