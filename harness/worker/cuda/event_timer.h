#pragma once

#include "worker/cuda/plugin.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace tune::worker {

/// The calls for CUDA's events that a timer needs, so that tests can replace them. A handle comes
/// from make(). All except is_done() throw std::runtime_error with CUDA's words.
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
/// five events. Events of finished steps are read and reused while the host continues; events are
/// never destroyed before the process ends.
class EventTimer final : public DeviceTimer {
 public:
  explicit EventTimer(EventApi& events) : events_(events) {}

  void begin_step() override;
  void end_phase(DevicePhase phase) override;
  std::vector<DevicePhases> collect() override;

  /// Events made so far: limited by how far the host runs ahead of the device.
  std::size_t made() const { return made_; }

 private:
  struct Edge {
    EventApi::Event event = nullptr;
    DevicePhase phase = DevicePhase::transfer;  ///< the phase that ends here
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
  std::deque<Step> open_;               ///< recorded but not read yet
  EventApi::Event last_end_ = nullptr;  ///< of the last step that was read
  std::vector<EventApi::Event> free_;
  std::size_t made_ = 0;
  std::vector<DevicePhases> steps_;
};

}  // namespace tune::worker
