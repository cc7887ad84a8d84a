#include "worker/step_input.h"

#include "trial/knob_catalog.h"
#include "worker/data/normalize.h"

#include <ATen/ops/empty.h>
#include <c10/core/StreamGuard.h>

#include <cstdio>
#include <exception>
#include <utility>

namespace tune::worker {

namespace {

template <class Value>
Value setting(const trial::KnobSettings& knobs, const char* name) {
  const auto found = knobs.find(name);
  return std::get<Value>(found == knobs.end() ? trial::find_knob(name)->default_value
                                              : found->second);
}

std::size_t count_slots(const trial::KnobSettings& knobs) {
  return static_cast<std::size_t>(setting<std::int64_t>(knobs, "device_slots"));
}

c10::Stream copy_stream(const c10::impl::VirtualGuardImpl& streams,
                        c10::Device device,
                        std::size_t slots) {
  return slots > 1 ? streams.getStreamFromGlobalPool(device, /*isHighPriority=*/true)
                   : streams.getStream(device);
}

}  // namespace

DeviceInput::DeviceInput(const trial::KnobSettings& knobs, const Loader& loader)
    : loader_(loader),
      pins_(setting<bool>(knobs, "pin_memory")),
      is_blocking_(!setting<bool>(knobs, "non_blocking")),
      streams_(c10::DeviceType::CUDA),
      device_(streams_.getDevice()),
      computing_(streams_.getStream(device_)),
      copying_(copy_stream(streams_, device_, count_slots(knobs))),
      slots_(count_slots(knobs)),
      order_(slots_.size()) {}

// The loader reclaims its memory next.
DeviceInput::~DeviceInput() {
  try {
    give_back();
  } catch (const std::exception& error) {  // a device that has failed no longer copies
    (void)std::fprintf(stderr, "the last copy to the GPU: %s\n", error.what());
  }
}

void DeviceInput::give_back() {
  if (on_the_way_) {
    slots_[on_the_way_to_].copied.synchronize();
    on_the_way_.reset();
  }
}

void DeviceInput::copy(Batch batch) {
  give_back();
  const std::size_t index = order_.fill();
  Slot& slot = slots_[index];
  if (pins_ &&
      !loader_.is_page_locked()) {  // torch::data::DataLoader allocates memory for each batch
    batch.images = batch.images.pin_memory();
    batch.slot.reset();
  }
  if (pins_) {
    batch.labels = batch.labels.pin_memory();
  }
  make_memory(slot, batch);
  slot.count = batch.labels.size(0);
  slot.epoch = batch.epoch;
  slot.index = batch.index;
  {
    const c10::StreamGuard on_copying(copying_);
    if (copies_ahead()) {
      slot.used.block(copying_);
    }
    slot.images.narrow(0, 0, slot.count).copy_(batch.images, !is_blocking_);
    slot.labels.narrow(0, 0, slot.count).copy_(batch.labels, !is_blocking_);
    slot.copied.record(copying_);
  }
  if (!is_blocking_) {
    on_the_way_ = std::move(batch);
    on_the_way_to_ = index;
  }
}

Batch DeviceInput::take() {
  const Slot& slot = slots_[order_.take()];
  if (copies_ahead()) {
    slot.copied.block(computing_);
  }
  Batch batch;
  batch.images = slot.images.narrow(0, 0, slot.count);
  batch.labels = slot.labels.narrow(0, 0, slot.count);
  batch.epoch = slot.epoch;
  batch.index = slot.index;
  return batch;
}

void DeviceInput::release() {
  const auto used = order_.release();
  if (used && copies_ahead()) {
    slots_[*used].used.record(computing_);
  }
}

// New memory may have been freed by work on the compute stream that is not done yet.
void DeviceInput::make_memory(Slot& slot, const Batch& batch) const {
  if (slot.images.defined() && slot.images.size(0) >= batch.images.size(0) &&
      slot.images.sizes().slice(1) == batch.images.sizes().slice(1) &&
      slot.labels.sizes().slice(1) == batch.labels.sizes().slice(1)) {
    return;
  }
  slot.images = at::empty(batch.images.sizes(),
                          at::TensorOptions(batch.images.scalar_type())
                              .device(device_)
                              .memory_format(batch.images.suggest_memory_format()));
  slot.labels = at::empty(batch.labels.sizes(),
                          at::TensorOptions(batch.labels.scalar_type()).device(device_));
  slot.used.record(computing_);
}

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

// The copy converts type and layout; the rest is bound by the device's memory and small compared to
// any model.
void ModelInput::normalize_on_device(const at::Tensor& images, at::Tensor& out) {
  if (!scale_.defined()) {
    scale_ = pixel_scale().to(images.device(), at::kFloat);
    offset_ = pixel_offset().to(images.device(), at::kFloat);
  }
  out.copy_(images);
  out.mul_(scale_).add_(offset_);
}

// A larger batch of another shape may have moved the memory that stays.
void CapturedInput::fill(const at::Tensor& input, const at::Tensor& labels, bool stays) {
  if (!input_.defined()) {
    input_ = stays ? input : input.clone();
    labels_ = labels.clone();
    return;
  }
  if (!input_.is_alias_of(input)) {
    input_.copy_(input);
  }
  labels_.copy_(labels);
}

}  // namespace tune::worker
