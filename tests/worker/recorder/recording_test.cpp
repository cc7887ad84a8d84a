#include "worker/recorder/recording.h"

#include "worker/recorder/range.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <unistd.h>

namespace tune::worker {
namespace {

std::uint32_t events_of_this_thread(Recording& recording) {
  return recording.log_of_this_thread()->events().size();
}

TEST(Recording, RangesAreRecordedBetweenStartAndStop) {
  Recording recording({});
  { const Range before("before"); }
  EXPECT_TRUE(recording.logs().empty()) << "while it is off, no thread has a log";
  recording.start();
  {
    const Range range("forward");
    const Range inner("inner");
  }
  recording.stop();
  { const Range after("after"); }
  EXPECT_EQ(Recording::active(), nullptr);
  ASSERT_EQ(recording.logs().size(), 1U);
  const ThreadLog& log = *recording.logs()[0];
  ASSERT_EQ(log.events().size(), 2U);
  EXPECT_EQ(recording.names().text(log.events()[0].name), "forward");
  EXPECT_EQ(log.events()[0].kind, EventKind::annotation);
  EXPECT_GE(log.events()[0].end_ns.load(), log.events()[1].end_ns.load());
  EXPECT_EQ(log.owner().thread, gettid());
}

TEST(Recording, ARangeThatWasOpenWhenItStoppedStillEnds) {
  Recording recording({});
  recording.start();
  {
    const Range range("forward");
    recording.stop();
  }
  const auto& events = recording.logs()[0]->events();
  ASSERT_EQ(events.size(), 1U);
  EXPECT_GT(events[0].end_ns.load(), 0);
  {
    const Range outer("begins before it starts");
    recording.start();
  }
  EXPECT_EQ(events.size(), 1U);
}

TEST(Recording, EveryThreadHasItsOwnLogAlsoWhenItHasEnded) {
  Recording recording({});
  recording.start();
  { const Range range("main"); }
  std::thread([] {
    pthread_setname_np(pthread_self(), "tune-load-0");
    const Range range("read");
  }).join();
  recording.stop();
  const auto logs = recording.logs();
  ASSERT_EQ(logs.size(), 2U);
  EXPECT_EQ(logs[1]->owner().name, "tune-load-0");
  EXPECT_NE(logs[1]->owner().thread, logs[0]->owner().thread);
  EXPECT_EQ(recording.names().text(logs[1]->events()[0].name), "read");
  EXPECT_GT(logs[1]->events()[0].end_ns.load(), 0);
}

TEST(Recording, AnotherRecordingBeginsWithNothing) {
  {
    Recording first({});
    first.start();
    { const Range range("first"); }
    EXPECT_EQ(events_of_this_thread(first), 1U);
  }
  Recording second({});
  EXPECT_EQ(Recording::active(), nullptr) << "the first one has stopped by itself";
  second.start();
  { const Range range("second"); }
  EXPECT_EQ(events_of_this_thread(second), 1U);
  EXPECT_EQ(second.names().text(0), "second");
}

TEST(Recording, ModulesAreRecordedOnlyWhereTheyAreWanted) {
  for (const bool is_wanted : {false, true}) {
    Recording recording({.modules = is_wanted});
    recording.start();
    { const ModuleRange range("conv1"); }
    EXPECT_EQ(recording.logs().size(), is_wanted ? 1U : 0U);
    if (is_wanted) {
      EXPECT_EQ(recording.logs()[0]->events()[0].kind, EventKind::module);
    }
  }
}

// Under the thread sanitizer: readers see complete rows at any time.
TEST(Recording, MayBeReadWhileOtherThreadsRecord) {
  Recording recording({});
  recording.start();
  std::atomic<bool> is_over = false;
  std::thread writer([&is_over] {
    while (!is_over.load()) {
      const Range range("decode");
    }
  });
  std::uint32_t seen = 0;
  while (seen < 20'000) {
    for (const ThreadLog* const log : recording.logs()) {
      const std::uint32_t count = log->events().size();
      for (std::uint32_t i = seen; i < count; ++i) {
        const RecordedEvent& event = log->events()[i];
        const std::int64_t end_ns = event.end_ns.load(std::memory_order_acquire);
        ASSERT_TRUE(end_ns == 0 || end_ns >= event.start_ns);
        ASSERT_EQ(recording.names().text(event.name), "decode");
      }
      seen = count;
    }
  }
  recording.stop();
  is_over = true;
  writer.join();
  EXPECT_GT(recording.json_bytes_at_most(), std::int64_t{20'000} * 250);
}

TEST(Recording, CountsWhatItsThreadsLost) {
  Recording recording({.limit_bytes = 0});
  recording.start();
  ThreadLog& log = *recording.log_of_this_thread();
  for (int i = 0; i < 800; ++i) {  // deeper than a thread's events are recorded
    log.begin({});
  }
  for (int i = 0; i < 800; ++i) {
    log.end();
  }
  log.keep_inputs(0);
  EXPECT_EQ(recording.lost_events(), 288);
  EXPECT_EQ(recording.lost_inputs(), 1);
}

}  // namespace
}  // namespace tune::worker
