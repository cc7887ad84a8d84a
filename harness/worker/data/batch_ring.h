#pragma once

#include "worker/data/image_samples.h"
#include "worker/data/sample_maker.h"
#include "worker/data/slot_memory.h"

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace tune::worker {

/// The next sample to make and its place.
struct Ticket {
  std::size_t slot = 0;
  std::int64_t position = 0;  ///< within the batch
  std::int64_t epoch = 0, sample = 0;
  std::uint8_t* out = nullptr;
};

/// A complete batch, in a slot that the consumer holds until release().
struct ReadyBatch {
  std::size_t slot = 0;
  std::int64_t epoch = 0, index = 0;
  std::uint8_t* pixels = nullptr;
  std::vector<std::int64_t> labels;
  std::vector<Fault> faults;  ///< by position in the batch
};

/// The waiting of both sides of a ring so far.
struct RingWaits {
  std::int64_t pulls = 0, empty_pulls = 0;  ///< batches requested; those not ready at that moment
  std::int64_t wait_ns = 0;                 ///< over all threads that found no free slot
  std::int64_t reorder_wait_ns =
      0;  ///< the part in which the next batch was not ready but a later one was
};

/// K batch slots between the threads that make samples and the one that consumes batches:
/// FREE -> FILLING -> READY -> held by the consumer -> FREE. The unit of work is one sample, so a
/// batch is ready after its share of all workers' time, and a slow file delays one worker only.
///
/// One mutex guards everything: at a few thousand samples per second it is idle nearly always.
class BatchRing {
 public:
  /// With a locker the slots are page-locked.
  BatchRing(const ImageSamples& samples, std::int64_t slots, PageLocker* locker = nullptr);

  /// Blocks until there is something to make. Nothing: stop() was called, or all samples of the
  /// epochs allowed by allow_epochs() have been handed out.
  std::optional<Ticket> take();

  /// Returns the result of a ticket.
  void finish(const Ticket& done, MadeSample made);

  /// The body of a loader thread: takes a ticket and makes its sample, until there is nothing to
  /// make. An exception from `make` (broken files do not throw) ends all threads: wait_ready()
  /// rethrows it.
  void work(const std::function<MadeSample(const Ticket&)>& make);

  /// The next batch: in the sampler's order, or with as_ready any complete batch of the earliest
  /// epoch. Throws std::logic_error when the consumer holds every slot.
  ReadyBatch wait_ready();

  bool is_next_ready() const;
  bool is_consumer_holding_all() const;
  std::int64_t count_ahead() const;  ///< samples made for batches not handed out yet
  RingWaits waits() const;
  void release(std::size_t slot);

  /// Samples of epochs below `end` may be made from now on.
  void allow_epochs(std::int64_t end);
  void stop();

 private:
  struct Slot {
    enum class State { free, filling, ready, held } state = State::free;
    ReadyBatch batch;
    std::int64_t size = 0, handed_out = 0, made = 0;
    std::vector<std::pair<std::int64_t, Fault>> faults;
  };

  bool is_all_held() const;
  bool open_batch();
  std::optional<Ticket> take_locked(std::unique_lock<std::mutex>& lock);
  std::optional<Ticket> finish_and_take(const Ticket& done, MadeSample made);
  void fail(std::exception_ptr reason);
  void finish_locked(const Ticket& done, MadeSample made);
  void wait_for_slot(std::unique_lock<std::mutex>& lock);
  void account();
  std::optional<std::size_t> next_ready() const;  // index into order_

  const ImageSamples& samples_;
  SlotMemory memory_;
  mutable std::mutex mutex_;
  std::condition_variable may_make_, is_ready_;
  std::vector<Slot> slots_;
  std::deque<std::size_t> order_;  // filling or ready slots, in the sampler's order
  std::optional<std::size_t> open_;
  std::vector<std::int64_t> epoch_order_;
  std::int64_t epoch_ = 0, index_ = 0, epochs_end_ = 0;  // of the next batch to open
  std::int64_t delivered_ = 0;
  bool is_stopped_ = false;
  RingWaits waits_;
  std::int64_t waiting_ = 0,
               since_ns_ = 0;  // threads that wait for a slot, and the time of the last change
  bool is_held_up_ = false;    // by a batch that delays others
  std::exception_ptr failure_;
};

}  // namespace tune::worker
