#include "worker/model_input.h"

#include "worker/data/normalize.h"

#include <ATen/ops/empty.h>

namespace tune::worker {

ModelInput::ModelInput(StepSettings::Layout layout)
    : format_(layout == StepSettings::Layout::channels_last ? at::MemoryFormat::ChannelsLast
                                                            : at::MemoryFormat::Contiguous) {}

at::Tensor ModelInput::make(const at::Tensor& images) {
  if (images.scalar_type() != at::kByte) {
    return images.contiguous(format_);
  }
  if (!buffer_.defined() || buffer_.size(0) < images.size(0)) {
    buffer_ = at::empty(images.sizes(), at::TensorOptions(at::kFloat).memory_format(format_));
  }
  at::Tensor input = buffer_.narrow(0, 0, images.size(0));  // an epoch's last batch may be smaller
  normalize_into(images, input);
  return input;
}

}  // namespace tune::worker
