#include "worker/data/batch_ring.h"

#include "base/clock.h"
#include "worker/data/random_stream.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace tune::worker {

BatchRing::BatchRing(const ImageSamples& samples, std::int64_t slots, PageLocker* locker)
    : samples_(samples),
      memory_(slots,
              std::min(samples.options.batch_size, samples.samples_per_epoch()) *
                  samples.bytes_per_image(),
              locker),
      slots_(static_cast<std::size_t>(slots)),
      epoch_order_(samples.shard.epoch_order(samples.seed, 0, samples.count())) {}

std::optional<Ticket> BatchRing::take() {
  std::unique_lock lock(mutex_);
  return take_locked(lock);
}

void BatchRing::work(const std::function<MadeSample(const Ticket&)>& make) {
  try {
    std::optional<Ticket> ticket = take();
    while (ticket) {
      ticket = finish_and_take(*ticket, make(*ticket));
    }
  } catch (...) {
    fail(std::current_exception());
  }
}

// Call with the lock held.
std::optional<Ticket> BatchRing::finish_and_take(const Ticket& done, MadeSample made) {
  std::unique_lock lock(mutex_);
  finish_locked(done, std::move(made));
  return take_locked(lock);
}

void BatchRing::finish(const Ticket& done, MadeSample made) {
  const std::unique_lock lock(mutex_);
  finish_locked(done, std::move(made));
}

std::optional<Ticket> BatchRing::take_locked(std::unique_lock<std::mutex>& lock) {
  for (;;) {
    const bool is_open = open_ && slots_[*open_].handed_out < slots_[*open_].size;
    if (is_stopped_ || (!is_open && epoch_ >= epochs_end_)) {
      return std::nullopt;
    }
    if (is_open || open_batch()) {
      break;
    }
    wait_for_slot(lock);
  }
  Slot& slot = slots_[*open_];
  Ticket ticket;
  ticket.slot = *open_;
  ticket.position = slot.handed_out++;
  ticket.epoch = slot.batch.epoch;
  const std::int64_t place = slot.batch.index * samples_.options.batch_size + ticket.position;
  ticket.sample = epoch_order_[static_cast<std::size_t>(place)];
  ticket.out = slot.batch.pixels + ticket.position * samples_.bytes_per_image();
  return ticket;
}

void BatchRing::wait_for_slot(std::unique_lock<std::mutex>& lock) {
  account();
  ++waiting_;
  may_make_.wait(lock);
  account();
  --waiting_;
}

// Charges the time since the last change to the waiting threads. Called when a thread starts or
// stops waiting, and when a batch becomes ready or is handed out: a few clock readings per batch.
void BatchRing::account() {
  const std::int64_t now_ns = monotonic_ns();
  const std::int64_t waited_ns = waiting_ * (now_ns - since_ns_);
  waits_.wait_ns += waited_ns;
  waits_.reorder_wait_ns += is_held_up_ ? waited_ns : 0;
  since_ns_ = now_ns;
  is_held_up_ = !next_ready() && std::any_of(order_.begin(), order_.end(), [&](std::size_t index) {
    return slots_[index].state == Slot::State::ready;
  });
}

// Takes a free slot for the next batch; false when there is none.
bool BatchRing::open_batch() {
  const auto free = std::find_if(slots_.begin(), slots_.end(), [](const Slot& slot) {
    return slot.state == Slot::State::free;
  });
  if (free == slots_.end()) {
    return false;
  }
  if (open_ && slots_[*open_].batch.epoch != epoch_) {
    epoch_order_ = samples_.shard.epoch_order(samples_.seed, epoch_, samples_.count());
  }
  open_ = static_cast<std::size_t>(free - slots_.begin());
  free->state = Slot::State::filling;
  free->size = samples_.batch_samples(index_);
  free->handed_out = free->made = 0;
  free->faults.clear();
  free->batch.slot = *open_;
  free->batch.epoch = epoch_;
  free->batch.index = index_;
  free->batch.pixels = memory_.slot(static_cast<std::int64_t>(*open_));
  free->batch.labels.assign(static_cast<std::size_t>(free->size), 0);
  order_.push_back(*open_);
  if (++index_ == samples_.batches_per_epoch) {
    index_ = 0;
    ++epoch_;
  }
  may_make_.notify_all();  // there is work for the others, too
  return true;
}

void BatchRing::finish_locked(const Ticket& done, MadeSample made) {
  Slot& slot = slots_[done.slot];
  slot.batch.labels[static_cast<std::size_t>(done.position)] = made.label;
  if (made.fault) {
    slot.faults.emplace_back(done.position, std::move(*made.fault));
  }
  if (++slot.made == slot.size) {
    slot.state = Slot::State::ready;
    account();
    is_ready_.notify_one();
  }
}

void BatchRing::fail(std::exception_ptr reason) {
  const std::lock_guard lock(mutex_);
  if (!failure_) {
    failure_ = std::move(reason);
  }
  is_stopped_ = true;
  may_make_.notify_all();
  is_ready_.notify_one();
}

std::optional<std::size_t> BatchRing::next_ready() const {
  const std::int64_t epoch = delivered_ / samples_.batches_per_epoch;
  const bool is_any_right = samples_.options.order == LoaderOptions::Order::as_ready;
  for (std::size_t i = 0;
       i < (is_any_right ? order_.size() : std::min<std::size_t>(1, order_.size()));
       ++i) {
    const Slot& slot = slots_[order_[i]];
    if (slot.state == Slot::State::ready && slot.batch.epoch == epoch) {
      return i;
    }
  }
  return std::nullopt;
}

ReadyBatch BatchRing::wait_ready() {
  std::unique_lock lock(mutex_);
  if (is_all_held()) {
    throw std::logic_error("all batches of the loader are held: drop one before the next");
  }
  ++waits_.pulls;
  waits_.empty_pulls += next_ready() ? 0 : 1;
  is_ready_.wait(lock, [&] { return failure_ != nullptr || next_ready(); });
  if (failure_) {
    std::rethrow_exception(failure_);
  }
  const auto found = order_.begin() + static_cast<std::ptrdiff_t>(*next_ready());
  Slot& slot = slots_[*found];
  order_.erase(found);
  slot.state = Slot::State::held;
  ++delivered_;
  account();
  ReadyBatch batch = slot.batch;
  std::sort(slot.faults.begin(), slot.faults.end(), [](const auto& a, const auto& b) {
    return a.first < b.first;
  });
  for (auto& [position, fault] : slot.faults) {
    batch.faults.push_back(std::move(fault));
  }
  return batch;
}

bool BatchRing::is_all_held() const {
  return std::all_of(slots_.begin(), slots_.end(), [](const Slot& slot) {
    return slot.state == Slot::State::held;
  });
}

bool BatchRing::is_consumer_holding_all() const {
  const std::lock_guard lock(mutex_);
  return is_all_held();
}

bool BatchRing::is_next_ready() const {
  const std::lock_guard lock(mutex_);
  return next_ready().has_value();
}

std::int64_t BatchRing::count_ahead() const {
  const std::lock_guard lock(mutex_);
  return std::accumulate(
      order_.begin(), order_.end(), std::int64_t{0}, [&](std::int64_t sum, std::size_t index) {
        return sum + slots_[index].made;
      });
}

RingWaits BatchRing::waits() const {
  const std::lock_guard lock(mutex_);
  return waits_;
}

void BatchRing::release(std::size_t slot) {
  const std::lock_guard lock(mutex_);
  slots_[slot].state = Slot::State::free;
  may_make_.notify_all();
}

void BatchRing::allow_epochs(std::int64_t end) {
  const std::lock_guard lock(mutex_);
  epochs_end_ = end;
  may_make_.notify_all();
}

void BatchRing::stop() {
  const std::lock_guard lock(mutex_);
  is_stopped_ = true;
  may_make_.notify_all();
}

}  // namespace tune::worker
