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

/// Brings batches to the GPU, into slots that are made once: no allocation falls into a steady
/// step.
///
/// With one slot (knob device_slots) a batch is copied when it is needed, on the stream that
/// computes, as `batch.to(device)` does. With more, those after it are copied ahead on a stream of
/// their own while the device computes; events keep a slot from being overwritten before its step
/// is done, and a step from beginning before its batch is there.
///
/// All by the training thread: with num_workers 0 it still is the one that loads, and while the
/// device computes a step that has been launched it has nothing else to do.
class DeviceInput {
 public:
  /// The loader must outlive it. The GPU is the current device.
  DeviceInput(const trial::KnobSettings& knobs, const Loader& loader);
  ~DeviceInput();
  DeviceInput(const DeviceInput&) = delete;
  DeviceInput& operator=(const DeviceInput&) = delete;

  /// A batch has been copied ahead.
  bool has_batch() const { return order_.has_batch(); }

  /// There is a slot for another batch.
  bool has_room() const { return order_.has_room(); }

  /// Before the loader is asked for a batch: gives back the one whose copy may still go on, after
  /// waiting for it. A loader without workers has two slots.
  void give_back();

  /// Begins to copy. Needs room.
  void copy(Batch batch);

  /// The batch that was copied first, in device memory until release(); what is launched from here
  /// on begins when it is there. Its `slot` is empty.
  Batch take();

  /// What was launched so far is all that uses the batch that was taken.
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
  c10::Stream computing_, copying_;  ///< one and the same without slots ahead
  std::vector<Slot> slots_;
  SlotOrder order_;
  std::optional<Batch> on_the_way_;  ///< its memory may still be read
  std::size_t on_the_way_to_ = 0;
};

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
