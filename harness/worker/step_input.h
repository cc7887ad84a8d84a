#pragma once

#include "worker/data/loader.h"
#include "worker/knob/knob_effect.h"
#include "worker/slot_order.h"

#include <ATen/core/Tensor.h>
#include <c10/core/Event.h>
#include <c10/core/Stream.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace tune::worker {

/// Copies batches to the GPU, into slots that are allocated once: no allocation falls into a steady
/// step.
///
/// With one slot (knob device_slots) a batch is copied when it is needed, on the compute stream, as
/// `batch.to(device)` does. With more, later batches are copied ahead on a separate stream while
/// the device computes; events keep a slot from being overwritten before its step is done, and a
/// step from starting before its batch is there.
///
/// The training thread does all of it: with num_workers 0 it also loads, and while the device
/// computes a launched step it has nothing else to do.
class DeviceInput {
 public:
  /// The loader must outlive it. The GPU is the current device.
  DeviceInput(const trial::KnobSettings& knobs, const Loader& loader);
  ~DeviceInput();
  DeviceInput(const DeviceInput&) = delete;
  DeviceInput& operator=(const DeviceInput&) = delete;

  /// Whether a batch has been copied ahead.
  bool has_batch() const { return order_.has_batch(); }

  /// Whether there is a slot for another batch.
  bool has_room() const { return order_.has_room(); }

  /// Call before asking the loader for a batch: returns the batch whose copy may still be running,
  /// after waiting for it. A loader without workers has two slots.
  void give_back();

  /// Begins to copy. Needs room.
  void copy(Batch batch);

  /// The batch that was copied first, in device memory until release(); work launched from here on
  /// starts when it has arrived. Its `slot` is empty.
  Batch take();

  /// Everything launched so far, and nothing later, uses the taken batch.
  void release();

 private:
  struct Slot {
    at::Tensor images, labels;  ///< for the largest batch
    std::int64_t count = 0, epoch = 0, index = 0;
    c10::Event copied = c10::Event(c10::DeviceType::CUDA);
    c10::Event used = c10::Event(c10::DeviceType::CUDA);
  };

  bool copies_ahead() const { return slots_.size() > 1; }
  void make_memory(Slot& slot, const Batch& batch) const;

  const Loader& loader_;
  const bool pins_, is_blocking_;
  c10::impl::VirtualGuardImpl streams_;
  c10::Device device_;
  c10::Stream computing_, copying_;  ///< the same stream without slots ahead
  std::vector<Slot> slots_;
  SlotOrder order_;
  std::optional<Batch> on_the_way_;  ///< its memory may still be read
  std::size_t on_the_way_to_ = 0;
};

/// Converts the loader's images to what the model needs: float32, normalised, in the knob's layout.
/// Anything except an image, [N, 3, S, S] of uint8 or float32, stays unchanged: tokens, and a
/// plug-in's input. Its memory is reused in every step: a fresh buffer above glibc's 32 MiB mmap
/// threshold costs a page fault for every 4 KiB, four times the work itself.
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

/// The batch of a captured step, which each replay reads from the same memory.
class CapturedInput {
 public:
  /// Copies a batch there, in the stream's order. `stays`: the input's memory is the same in every
  /// step and filled only between two of them, so that the first one itself is read.
  void fill(const at::Tensor& input, const at::Tensor& labels, bool stays);

  const at::Tensor& input() const { return input_; }
  const at::Tensor& labels() const { return labels_; }

 private:
  at::Tensor input_, labels_;
};

}  // namespace tune::worker
