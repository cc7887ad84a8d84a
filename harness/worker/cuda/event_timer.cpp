#include "worker/cuda/event_timer.h"

#include "base/assert.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tune::worker {

namespace {

constexpr std::size_t kMostSteps = 100'000;  // as many as the lists of a reply have

// The device may be this many steps behind before we wait for its oldest step. A driver's queue
// holds about a thousand launches, so only steps without work get here.
constexpr std::size_t kMostOpenSteps = 4'096;

std::int64_t DevicePhases::*part_of(DevicePhase phase) {
  switch (phase) {
    case DevicePhase::transfer:
      return &DevicePhases::transfer_ns;
    case DevicePhase::forward:
      return &DevicePhases::forward_ns;
    case DevicePhase::backward:
      return &DevicePhases::backward_ns;
    case DevicePhase::communication:
      return &DevicePhases::communication_ns;
    case DevicePhase::optimizer:
      return &DevicePhases::optimizer_ns;
    case DevicePhase::graph:
      return &DevicePhases::graph_ns;
    case DevicePhase::idle:
      break;
  }
  return &DevicePhases::gap_ns;
}

// Event times have a resolution of about half a microsecond; two in a row may even run backwards.
std::int64_t to_ns(double milliseconds) {
  return std::llround(std::max(0.0, milliseconds) * 1e6);
}

}  // namespace

EventApi::Event EventTimer::take() {
  if (free_.empty()) {
    ++made_;
    return events_.make();
  }
  EventApi::Event event = free_.back();
  free_.pop_back();
  return event;
}

void EventTimer::begin_step() {
  read_done_steps();
  if (open_.size() >= kMostOpenSteps) {
    events_.wait(open_.front().end());
    read_first();
  }
  constexpr std::size_t kUsualEdges = 4;
  Step step;
  step.begin = take();
  step.edges.reserve(kUsualEdges);
  events_.record(step.begin);
  open_.push_back(std::move(step));
}

void EventTimer::end_phase(DevicePhase phase) {
  TUNE_ASSERT(!open_.empty());
  const EventApi::Event event = take();
  events_.record(event);
  open_.back().edges.push_back({event, phase});
}

// Not the newest step, which may still get edges.
void EventTimer::read_done_steps() {
  while (open_.size() > 1 && events_.is_done(open_.front().end())) {
    read_first();
  }
}

void EventTimer::read_first() {
  const Step step = std::move(open_.front());
  open_.pop_front();
  DevicePhases phases;
  if (last_end_ != nullptr) {
    phases.gap_ns = to_ns(events_.milliseconds(last_end_, step.begin));
    free_.push_back(last_end_);
  }
  EventApi::Event from = step.begin;
  for (const Edge& edge : step.edges) {
    phases.*part_of(edge.phase) += to_ns(events_.milliseconds(from, edge.event));
    free_.push_back(from);
    from = edge.event;
  }
  last_end_ = from;
  if (steps_.size() < kMostSteps) {
    steps_.push_back(phases);
  }
}

std::vector<DevicePhases> EventTimer::collect() {
  if (!open_.empty()) {
    events_.wait(open_.back().end());
  }
  while (!open_.empty()) {
    read_first();
  }
  if (last_end_ != nullptr) {
    free_.push_back(last_end_);
    last_end_ = nullptr;
  }
  return std::exchange(steps_, {});
}

}  // namespace tune::worker
