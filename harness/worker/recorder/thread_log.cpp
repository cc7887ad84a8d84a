#include "worker/recorder/thread_log.h"

#include "base/assert.h"
#include "base/clock.h"

#include <utility>

namespace tune::worker {

ThreadLog::ThreadLog(Owner owner, MemoryRoom& room, NameTable& names)
    : owner_(std::move(owner)), names_(names), events_(room), memory_(room), inputs_(room) {}

void ThreadLog::begin(const EventStart& start) {
  RecordedEvent* const event = depth_ < kDeepest ? events_.next() : nullptr;
  if (event == nullptr) {
    count(lost_events_);
    if (depth_ < kDeepest) {
      open_[depth_] = kLost;
    }
    ++depth_;
    return;
  }
  event->end_ns.store(0, std::memory_order_relaxed);
  event->sequence = start.sequence;
  event->name = start.name;
  event->forward_thread = start.forward_thread;
  event->inputs = start.inputs;
  event->kind = start.kind;
  event->start_ns = monotonic_ns();
  open_[depth_++] = events_.publish();
}

void ThreadLog::end() {
  const std::int64_t now_ns = monotonic_ns();
  TUNE_ASSERT(depth_ > 0);
  --depth_;
  if (depth_ < kDeepest && open_[depth_] != kLost) {
    events_[open_[depth_]].end_ns.store(now_ns, std::memory_order_release);
  }
}

void ThreadLog::add(const MemoryRow& row) {
  MemoryRow* const next = memory_.next();
  if (next == nullptr) {
    count(lost_events_);
    return;
  }
  *next = row;
  memory_.publish();
}

std::uint32_t ThreadLog::keep_inputs(std::size_t bytes) {
  if (bytes == 0) {
    count(lost_inputs_);
    return kNoInputs;
  }
  const std::uint32_t place = inputs_.keep(bytes);
  input_bytes_.store(static_cast<std::int64_t>(inputs_.bytes()), std::memory_order_relaxed);
  return place;
}

void ThreadLog::rewind(const Mark& mark) {
  TUNE_ASSERT(depth_ == 0);
  events_.truncate(mark.events);
  memory_.truncate(mark.memory);
  inputs_.truncate(mark.inputs);
  input_bytes_.store(static_cast<std::int64_t>(mark.inputs), std::memory_order_relaxed);
}

void ThreadLog::reserve(const Mark& since, double times) {
  const auto scaled = [times](std::size_t count) {
    return static_cast<std::size_t>(static_cast<double>(count) * times);
  };
  events_.reserve(scaled(events_.size() - since.events));
  memory_.reserve(scaled(memory_.size() - since.memory));
}

}  // namespace tune::worker
