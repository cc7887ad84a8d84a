#pragma once

#include "worker/cuda/plugin.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace tune::worker {

/// What a timer needs of CUDA's events, so that tests can put others in their place. A handle is
/// what make() returned. All but is_done() throw std::runtime_error with CUDA's words.
class EventApi {
 public:
  using Event = void*;
  virtual ~EventApi() = default;
  virtual Event make() = 0;
  virtual void record(Event event) = 0;  ///< on the compute stream of the calling thread
  virtual bool is_done(Event event) = 0;
  virtual void wait(Event event) = 0;
  virtual double milliseconds(Event from, Event to) = 0;
};

/// DeviceTimer over event pairs. A phase ends where the next one begins, so a step of one batch has
/// five events. Events of steps that are done are read back and used again while the host goes on;
/// events are never destroyed, the process ends with them.
class EventTimer final : public DeviceTimer {
 public:
  explicit EventTimer(EventApi& events) : events_(events) {}

  void begin_step() override;
  void end_phase(DevicePhase phase) override;
  std::vector<DevicePhases> collect() override;

  /// Events made so far: bounded by how far the host runs ahead of the device.
  std::size_t made() const { return made_; }

 private:
  struct Edge {
    EventApi::Event event = nullptr;
    DevicePhase phase = DevicePhase::transfer;  ///< that ends here
  };
  struct Step {
    EventApi::Event begin = nullptr;
    std::vector<Edge> edges = {};  ///< a phase may come more than once
    EventApi::Event end() const { return edges.empty() ? begin : edges.back().event; }
  };

  EventApi::Event take();
  void read_done_steps();
  void read_first();

  EventApi& events_;
  std::deque<Step> open_;               ///< recorded, not read back
  EventApi::Event last_end_ = nullptr;  ///< of the step that was read last
  std::vector<EventApi::Event> free_;
  std::size_t made_ = 0;
  std::vector<DevicePhases> steps_;
};

}  // namespace tune::worker
