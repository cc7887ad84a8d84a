#include "worker/recorder/thread_log.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace tune::worker {
namespace {

constexpr std::int64_t kPlenty = std::int64_t{64} << 20;

struct Logged {
  explicit Logged(std::int64_t room_bytes = kPlenty) : room(room_bytes) {}
  MemoryRoom room;
  NameTable names;
  ThreadLog log{{7, "test"}, room, names};

  void begin(const char* name, EventKind kind = EventKind::op) {
    EventStart start;
    start.kind = kind;
    start.name = log.name(name).id;
    log.begin(start);
  }
};

TEST(ThreadLog, EventsStandInTheOrderOfTheirBeginningAndNest) {
  Logged logged;
  logged.begin("outer");
  logged.begin("inner");
  logged.log.end();
  logged.begin("open");
  const auto& events = logged.log.events();
  ASSERT_EQ(events.size(), 3U);
  EXPECT_EQ(logged.names.text(events[0].name), "outer");
  EXPECT_EQ(events[0].end_ns.load(), 0) << "it has not ended";
  EXPECT_GT(events[1].start_ns, events[0].start_ns);
  EXPECT_GE(events[1].end_ns.load(), events[1].start_ns);
  logged.log.end();
  logged.log.end();
  EXPECT_GE(events[0].end_ns.load(), events[2].end_ns.load());
}

TEST(ThreadLog, ANameHasOneNumberHoweverOftenItComes) {
  Logged logged;
  const auto first = logged.log.name("aten::mm");
  const std::string again = "aten::mm";
  EXPECT_EQ(logged.log.name(again).id, first.id);
  EXPECT_NE(logged.log.name("aten::m").id, first.id);
  EXPECT_TRUE(first.counts_flops);
  EXPECT_FALSE(logged.log.name("aten::relu").counts_flops);
  for (int i = 0; i < 5'000; ++i) {  // more than the cache's initial size
    logged.log.name("ProfilerStep#" + std::to_string(i));
  }
  EXPECT_EQ(logged.log.name("aten::mm").id, first.id);
  EXPECT_EQ(logged.names.text(logged.log.name("ProfilerStep#4999").id), "ProfilerStep#4999");
}

TEST(ThreadLog, WhatFindsNoRoomIsCountedAndTheRestStaysBalanced) {
  Logged logged(0);
  logged.begin("lost");
  logged.log.add(MemoryRow());
  EXPECT_TRUE(logged.log.input_space().empty());
  EXPECT_EQ(logged.log.keep_inputs(0), kNoInputs);
  logged.log.end();
  EXPECT_EQ(logged.log.events().size(), 0U);
  EXPECT_EQ(logged.log.lost_events(), 2);
  EXPECT_EQ(logged.log.lost_inputs(), 1);
}

TEST(ThreadLog, FullMemoryLosesNewEventsOnly) {
  Logged logged(static_cast<std::int64_t>(sizeof(RecordedEvent)) * 8192);
  for (int i = 0; i < 8200; ++i) {
    logged.begin("op");
    logged.log.end();
  }
  EXPECT_EQ(logged.log.events().size(), 8192U);
  EXPECT_EQ(logged.log.lost_events(), 8);
  EXPECT_GT(logged.log.events()[8191].end_ns.load(), 0);
}

TEST(ThreadLog, CallsThatNestTooDeepAreCountedAndTheOthersKept) {
  Logged logged;
  for (int i = 0; i < 600; ++i) {
    logged.begin("op");
  }
  for (int i = 0; i < 600; ++i) {
    logged.log.end();
  }
  EXPECT_EQ(logged.log.events().size(), 512U);
  EXPECT_EQ(logged.log.lost_events(), 88);
  EXPECT_GT(logged.log.events()[511].end_ns.load(), 0);
  EXPECT_GT(logged.log.events()[0].end_ns.load(), 0);
}

TEST(ThreadLog, RewindsToAMark) {
  Logged logged;
  logged.begin("kept");
  logged.log.end();
  const ThreadLog::Mark mark = logged.log.mark();
  logged.begin("forgotten");
  logged.log.end();
  logged.log.add(MemoryRow());
  ASSERT_FALSE(logged.log.input_space().empty());
  logged.log.keep_inputs(100);
  EXPECT_GT(logged.log.input_bytes(), 0);
  logged.log.rewind(mark);
  EXPECT_EQ(logged.log.events().size(), 1U);
  EXPECT_EQ(logged.log.memory().size(), 0U);
  EXPECT_EQ(logged.log.input_bytes(), 0);
  logged.begin("next");
  EXPECT_EQ(logged.names.text(logged.log.events()[1].name), "next");
  EXPECT_EQ(logged.log.events()[1].end_ns.load(), 0) << "the old contents are gone";
  logged.log.end();
}

TEST(ThreadLog, InputsAreFoundAgainAcrossChunks) {
  Logged logged;
  std::vector<std::uint32_t> places;
  for (std::uint8_t i = 0; i < 100; ++i) {  // some of them across the border of a chunk
    const auto space = logged.log.input_space();
    ASSERT_GE(space.size(), 60'000U);
    std::fill_n(space.begin(), 60'000, i);
    places.push_back(logged.log.keep_inputs(60'000));
  }
  for (std::uint8_t i = 0; i < 100; ++i) {
    const auto bytes = logged.log.inputs(places[i]);
    ASSERT_EQ(bytes.size(), 60'000U);
    EXPECT_EQ(bytes.front(), i);
    EXPECT_EQ(bytes.back(), i);
  }
}

}  // namespace
}  // namespace tune::worker
