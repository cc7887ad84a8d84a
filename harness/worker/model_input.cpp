#include "worker/model_input.h"

#include "worker/data/normalize.h"

#include <ATen/ops/empty.h>

namespace tune::worker {

ModelInput::ModelInput(StepSettings::Layout layout)
    : format_(layout == StepSettings::Layout::channels_last ? at::MemoryFormat::ChannelsLast
                                                            : at::MemoryFormat::Contiguous) {}

namespace {

bool are_images(const at::Tensor& samples) {
  const bool is_known = samples.scalar_type() == at::kByte || samples.scalar_type() == at::kFloat;
  return is_known && samples.dim() == 4 && samples.size(1) == 3;
}

bool is_smaller(const at::Tensor& buffer, const at::Tensor& images) {
  return buffer.size(0) < images.size(0) || buffer.sizes().slice(1) != images.sizes().slice(1);
}

}  // namespace

at::Tensor ModelInput::make(const at::Tensor& images) {
  if (!are_images(images)) {
    return images;
  }
  const bool is_normalized = images.scalar_type() != at::kByte;
  if (is_normalized && images.is_contiguous(format_)) {
    return images;
  }
  if (!buffer_.defined() || is_smaller(buffer_, images)) {
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
