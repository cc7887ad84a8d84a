// Files that no profiler writes: they may be read badly, but neither for hours nor into any memory.

#include "trace_text.h"

#include <gtest/gtest.h>

namespace tune::profile {
namespace {

Timeline read_at_once(const std::string& json, const ReadOptions& options = {}) {
  return read_trace(std::make_unique<MemorySource>(json, 1 << 20), "test.json", options);
}

std::string repeated(const std::string& text, int times) {
  std::string all;
  all.reserve(text.size() * static_cast<std::size_t>(times));
  for (int i = 0; i < times; ++i) {
    all += text;
  }
  return all;
}

const std::string kGood = row("cpu_op", "aten::mm", "1", "1");

TEST(HostileInput, WhereNoTextEndsIsNotSearchedOnceForEachRow) {
  // Each row seems to go on to the end of the file.
  const Timeline timeline =
      read_at_once("[" + kGood + "," + repeated("{\"ph\":\"X, ", 100'000) + "]");
  EXPECT_EQ(timeline.events.size(), 1U);
  ASSERT_FALSE(timeline.notes.warnings().empty());
  EXPECT_NE(timeline.notes.warnings().front().find("so much is damaged"), std::string::npos);
  EXPECT_GT(timeline.notes.of(NoteKind::unreadable_row).count, 0);
}

TEST(HostileInput, AFewDamagedRowsAreNoReasonToStop) {
  const Timeline timeline = read_at_once(
      "[" + repeated("{\"ph\": \"X\", \"dur\" 1},\n" + kGood + ",\n", 2'000) + kGood + "]");
  EXPECT_EQ(timeline.events.size(), 2'001U);
  EXPECT_EQ(timeline.notes.of(NoteKind::unreadable_row).count, 2'000);
  EXPECT_TRUE(timeline.notes.warnings().empty());
}

TEST(HostileInput, ManyCategoriesAreCountedTogether) {
  std::string rows = kGood;
  for (int i = 0; i < 1'000; ++i) {
    rows += "," + row("category " + std::to_string(i), "a", "1", "1");
  }
  rows += "," + row(std::string(10'000, 'c'), "a", "1", "1");
  const Timeline timeline = read_at_once("[" + rows + "]");
  const auto& categories = timeline.notes.other_categories();
  EXPECT_EQ(categories.size(), 257U);
  EXPECT_EQ(categories.at("(others)"), 1'000 + 1 - 256);
  EXPECT_EQ(categories.at("category 7"), 1);
}

TEST(HostileInput, ManyValuesBesideTheEventsAreLeftOutAndCounted) {
  std::string json = "{";
  for (int i = 0; i < 1'010; ++i) {
    json += "\"key " + std::to_string(i) + "\": " + std::to_string(i) + ",";
  }
  json += "\"deviceProperties\": [" + repeated("{},", 2'000) + "{}],";
  const Timeline timeline = read_at_once(json + "\"traceEvents\": [" + kGood + "]}");
  EXPECT_EQ(timeline.metadata.size(), 1'000U);
  EXPECT_EQ(timeline.notes.of(NoteKind::header_value).count, 10);
  EXPECT_EQ(timeline.devices.size(), 1'024U);
}

TEST(HostileInput, ATimeOfDayThatNoRowCanBeAddedToIsUnknown) {
  const std::string rows = "\"traceEvents\": [" + kGood + "]}";
  const Timeline timeline = read_at_once("{\"baseTimeNanoseconds\": 9223372036854775000, " + rows);
  EXPECT_EQ(timeline.base_time_ns, 0);
  EXPECT_EQ(timeline.notes.of(NoteKind::beyond_int64).count, 1);
  EXPECT_EQ(read_at_once("{\"baseTimeNanoseconds\": 1700000000000000000, " + rows).base_time_ns,
            1'700'000'000'000'000'000);
}

TEST(HostileInput, ManyThreadsCountAsMemory) {
  std::string rows = kGood;
  for (int i = 0; i < 20'000; ++i) {
    rows += R"(,{"ph": "X", "cat": "cpu_op", "name": "a", "pid": 1, "tid": )" + std::to_string(i) +
            R"(, "ts": )" + std::to_string(i) + R"(, "dur": 1})";
  }
  EXPECT_THROW(read_at_once("[" + rows + "]", {.memory_limit_bytes = 1 << 20}), std::exception);
}

TEST(HostileInput, MemoryRowsBehindTheCutAreDroppedAndCounted) {
  std::string rows;
  constexpr int kRows = 60'000;
  for (int i = 0; i < kRows; ++i) {  // by time: what follows a cut lies behind it
    rows += rows.empty() ? "" : ",";
    rows +=
        i % 2 == 0
            ? row("cpu_op", "a", std::to_string(i), "1")
            : R"({"ph": "i", "cat": "cpu_instant_event", "name": "[memory]", "pid": 1, "tid": 1, "ts": )" +
                  std::to_string(i) + R"(, "args": {"Bytes": 4, "Device Type": 0}})";
  }
  const Timeline timeline = read_at_once("[" + rows + "]", {.memory_limit_bytes = 2 << 20});
  ASSERT_TRUE(timeline.cut_at_ns.has_value());
  const auto kept = static_cast<std::int64_t>(timeline.events.size() + timeline.memory.size());
  EXPECT_GT(timeline.memory.size(), 1'000U);
  EXPECT_EQ(kept + timeline.notes.of(NoteKind::beyond_memory_limit).count, kRows);
}

}  // namespace
}  // namespace tune::profile
