#include "worker/model_input.h"

#include "worker/data/normalize.h"

#include <ATen/ops/empty.h>

namespace tune::worker {

ModelInput::ModelInput(StepSettings::Layout layout)
    : format_(layout == StepSettings::Layout::channels_last ? at::MemoryFormat::ChannelsLast
                                                            : at::MemoryFormat::Contiguous) {}

at::Tensor ModelInput::make(const at::Tensor& images) {
  const bool is_normalized = images.scalar_type() != at::kByte;
  if (is_normalized && images.is_contiguous(format_)) {
    return images;
  }
  if (!buffer_.defined() || buffer_.size(0) < images.size(0)) {
    buffer_ =
        at::empty(images.sizes(),
                  at::TensorOptions(at::kFloat).device(images.device()).memory_format(format_));
  }
  at::Tensor input = buffer_.narrow(0, 0, images.size(0));  // an epoch's last batch may be smaller
  if (is_normalized) {
    input.copy_(images);
  } else if (images.is_cpu()) {
    normalize_into(images, input);
  } else {
    normalize_on_device(images, input);
  }
  return input;
}

// The copy converts and lays out anew; what remains is bound by the device's memory, and small
// beside any model.
void ModelInput::normalize_on_device(const at::Tensor& images, at::Tensor& out) {
  if (!scale_.defined()) {
    scale_ = pixel_scale().to(images.device(), at::kFloat);
    offset_ = pixel_offset().to(images.device(), at::kFloat);
  }
  out.copy_(images);
  out.mul_(scale_).add_(offset_);
}

}  // namespace tune::worker
