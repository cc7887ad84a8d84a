#include "worker/cuda/event_timer.h"

#include <gtest/gtest.h>

#include <map>
#include <stdexcept>

namespace tune::worker {
namespace {

// A stream that reaches its events at times set by the test, on its own clock.
class FakeEvents final : public EventApi {
 public:
  double now_ms = 0;        // when the next record() will be reached
  double reached_ms = 1e9;  // how far the device is
  int waits = 0;

  Event make() override {
    const auto number = static_cast<std::uintptr_t>(++made_);
    return reinterpret_cast<Event>(number);  // NOLINT
  }
  void record(Event event) override { at_ms_[event] = now_ms; }
  bool is_done(Event event) override { return at_ms_.at(event) <= reached_ms; }
  void wait(Event event) override {
    ++waits;
    reached_ms = std::max(reached_ms, at_ms_.at(event));
  }
  double milliseconds(Event from, Event to) override {
    if (!is_done(from) || !is_done(to)) {
      throw std::runtime_error("not ready");
    }
    return at_ms_.at(to) - at_ms_.at(from);
  }

 private:
  std::map<Event, double> at_ms_;
  int made_ = 0;
};

// 1 ms of each phase, then 0.5 ms of nothing.
void run_step(FakeEvents& events, DeviceTimer& timer) {
  timer.begin_step();
  for (const DevicePhase phase : {DevicePhase::transfer,
                                  DevicePhase::forward,
                                  DevicePhase::backward,
                                  DevicePhase::optimizer}) {
    events.now_ms += 1;
    timer.end_phase(phase);
  }
  events.now_ms += 0.5;
}

const DevicePhases kFirst = {0, 1'000'000, 1'000'000, 1'000'000, 1'000'000};
const DevicePhases kLater = {500'000, 1'000'000, 1'000'000, 1'000'000, 1'000'000};

TEST(EventTimer, PhasesAreTheTimesBetweenTheirEventsAndGapsThoseBetweenSteps) {
  FakeEvents events;
  EventTimer timer(events);
  for (int i = 0; i < 3; ++i) {
    run_step(events, timer);
  }
  EXPECT_EQ(timer.collect(), (std::vector<DevicePhases>{kFirst, kLater, kLater}));
  EXPECT_EQ(events.waits, 1);
}

TEST(EventTimer, TheLoopNeverWaitsForTheDevice) {
  FakeEvents events;
  events.reached_ms = -1;  // the device has not even begun
  EventTimer timer(events);
  for (int i = 0; i < 100; ++i) {
    run_step(events, timer);
  }
  EXPECT_EQ(events.waits, 0);
  EXPECT_EQ(timer.collect().size(), 100U);
  EXPECT_EQ(events.waits, 1);
}

// The waits of a step of several batches between them are not a phase of it.
TEST(EventTimer, AStepMayHaveManyPhasesAndWaitsBetweenThem) {
  FakeEvents events;
  EventTimer timer(events);
  timer.begin_step();
  for (int batch = 0; batch < 8; ++batch) {
    if (batch > 0) {
      events.now_ms += 0.25;
      timer.end_phase(DevicePhase::idle);
    }
    for (const DevicePhase phase :
         {DevicePhase::transfer, DevicePhase::forward, DevicePhase::backward}) {
      events.now_ms += 1;
      timer.end_phase(phase);
    }
  }
  events.now_ms += 1;
  timer.end_phase(DevicePhase::optimizer);
  const DevicePhases expected = {1'750'000, 8'000'000, 8'000'000, 8'000'000, 1'000'000};
  EXPECT_EQ(timer.collect(), std::vector<DevicePhases>{expected});
}

TEST(EventTimer, EventsOfStepsThatAreDoneAreUsedAgain) {
  FakeEvents events;
  EventTimer timer(events);
  for (int i = 0; i < 1'000; ++i) {
    run_step(events, timer);
  }
  EXPECT_LE(timer.made(), 3 * 5U) << "the device keeps up";
  EXPECT_EQ(timer.collect().size(), 1'000U);
}

TEST(EventTimer, ADeviceThatIsThousandsOfStepsBehindIsWaitedFor) {
  FakeEvents events;
  events.reached_ms = -1;
  EventTimer timer(events);
  for (int i = 0; i < 5'000; ++i) {
    timer.begin_step();
    events.now_ms += 1;
    timer.end_phase(DevicePhase::forward);
  }
  EXPECT_GT(events.waits, 0);
  EXPECT_LE(timer.made(), 2 * 4'096U + 2);
  EXPECT_EQ(timer.collect().size(), 5'000U);
}

TEST(EventTimer, AfterCollectingTheNextStepIsAFirstOne) {
  FakeEvents events;
  EventTimer timer(events);
  run_step(events, timer);
  EXPECT_EQ(timer.collect().size(), 1U);
  EXPECT_TRUE(timer.collect().empty());
  run_step(events, timer);
  EXPECT_EQ(timer.collect(), std::vector<DevicePhases>{kFirst});
}

TEST(EventTimer, APhaseThatComesTwiceAddsUpAndAStepMayHaveNone) {
  FakeEvents events;
  EventTimer timer(events);
  timer.begin_step();
  events.now_ms += 1;
  timer.end_phase(DevicePhase::forward);
  events.now_ms += 2;
  timer.end_phase(DevicePhase::forward);
  timer.begin_step();
  const auto steps = timer.collect();
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_EQ(steps[0].forward_ns, 3'000'000);
  EXPECT_EQ(steps[1].covered_ns(), 0);
}

TEST(EventTimer, TimesThatRunBackwardsByTheClocksCoarsenessAreNone) {
  FakeEvents events;
  EventTimer timer(events);
  timer.begin_step();
  events.now_ms -= 0.0005;
  timer.end_phase(DevicePhase::forward);
  EXPECT_EQ(timer.collect().at(0).forward_ns, 0);
}

}  // namespace
}  // namespace tune::worker
