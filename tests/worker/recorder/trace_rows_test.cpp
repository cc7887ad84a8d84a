#include "worker/recorder/trace_rows.h"

#include "sample_recording.h"
#include "worker/recorder/range.h"

#include <gtest/gtest.h>

#include <thread>

namespace tune::worker {
namespace {

EventStart numbered(EventStart start, std::int64_t sequence, std::uint32_t forward_thread = 0) {
  start.sequence = sequence;
  start.forward_thread = forward_thread;
  return start;
}

void call(ThreadLog& log, const EventStart& start) {
  log.begin(start);
  log.end();
}

std::string name_of(const SampleRecording& sample, const TraceRow& row) {
  return std::string(sample.recording.names().text(row.name));
}

TEST(TraceRows, AParentStandsBeforeItsChildren) {
  SampleRecording sample;
  sample.log.begin(sample.start("outer"));
  call(sample.log, sample.start("inner"));
  sample.log.end();
  call(sample.log, sample.start("next"));
  const TraceRows rows = collect_rows(sample.recording, everything());
  ASSERT_EQ(rows.rows.size(), 3U);
  EXPECT_EQ(name_of(sample, rows.rows[0]), "outer");
  EXPECT_EQ(name_of(sample, rows.rows[1]), "inner");
  EXPECT_LE(rows.rows[1].end_ns, rows.rows[0].end_ns);
}

TEST(TraceRows, OnlyWhatIsOverAndLiesInsideAWindowIsThere) {
  SampleRecording sample;
  for (const char* const text : {"before", "first", "between", "second", "open"}) {
    sample.log.begin(sample.start(text));
    if (std::string(text) != "open") {
      sample.log.end();
    }
  }
  const auto& events = sample.log.events();
  const auto window = [&](std::size_t i) {
    return TraceWindow{events[i].start_ns, events[i].end_ns.load()};
  };
  const TraceRows rows = collect_rows(
      sample.recording, {window(1), {window(3).start_ns, window(3).end_ns + 1'000'000'000}});
  ASSERT_EQ(rows.rows.size(), 2U);
  EXPECT_EQ(name_of(sample, rows.rows[0]), "first");
  EXPECT_EQ(name_of(sample, rows.rows[1]), "second");
}

// A number is that of the next node, so operators without a node have it, too, as do those that
// call the operator that makes the node.
TEST(TraceRows, ANodeIsLinkedToTheInnermostOperatorThatBeganLast) {
  SampleRecording sample;
  sample.log.set_torch_thread(1);
  call(sample.log, numbered(sample.start("aten::ones_like"), 3));
  sample.log.begin(numbered(sample.start("aten::matmul"), 3));
  call(sample.log, numbered(sample.start("aten::mm"), 3));
  sample.log.end();
  call(sample.log, sample.start("aten::empty"));
  sample.log.begin(sample.start("autograd::engine::evaluate_function: MmBackward0"));
  call(sample.log, numbered(sample.start("MmBackward0", EventKind::backward), 3, 1));
  sample.log.end();
  call(sample.log, numbered(sample.start("OtherBackward0", EventKind::backward), 3, 2));
  call(sample.log,
       numbered(
           sample.start("torch::autograd::AccumulateGrad", EventKind::backward), kNoSequence, 1));
  const TraceRows rows = collect_rows(sample.recording, everything());
  ASSERT_EQ(rows.links.size(), 1U) << "thread 2 has no such operator, and -1 is not a number";
  EXPECT_EQ(name_of(sample, rows.rows[rows.links[0].forward]), "aten::mm");
  EXPECT_EQ(name_of(sample, rows.rows[rows.links[0].backward]), "MmBackward0");
  EXPECT_EQ(rows.rows[4].sequence, 3) << "the wrapper has the number of what it wraps";
  EXPECT_EQ(rows.rows[4].forward_thread, 1U);
}

TEST(TraceRows, ASequenceNumberThatComesAgainBelongsToTheLastOperatorBefore) {
  SampleRecording sample;
  sample.log.set_torch_thread(1);
  for (const char* const text : {"aten::add", "aten::mul"}) {
    call(sample.log, numbered(sample.start(text), 0));
    call(sample.log, numbered(sample.start("Backward", EventKind::backward), 0, 1));
  }
  const TraceRows rows = collect_rows(sample.recording, everything());
  ASSERT_EQ(rows.links.size(), 2U);
  EXPECT_EQ(name_of(sample, rows.rows[rows.links[0].forward]), "aten::add");
  EXPECT_EQ(name_of(sample, rows.rows[rows.links[1].forward]), "aten::mul");
}

TEST(TraceRows, ModulesBecomePathsAndOperatorsKnowTheirs) {
  SampleRecording sample;
  sample.log.begin(sample.start("block0", EventKind::module));
  sample.log.begin(sample.start("conv1", EventKind::module));
  call(sample.log, sample.start("aten::conv2d"));
  sample.log.end();
  call(sample.log, sample.start("aten::relu_"));
  sample.log.end();
  call(sample.log, sample.start("aten::linear"));
  const TraceRows rows = collect_rows(sample.recording, everything());
  ASSERT_EQ(rows.rows.size(), 5U);
  const auto path = [&](std::size_t row) { return rows.modules[rows.rows[row].module]; };
  EXPECT_EQ(path(0), "block0");
  EXPECT_EQ(path(1), "block0.conv1");
  EXPECT_EQ(path(2), "block0.conv1");
  EXPECT_EQ(path(3), "block0");
  EXPECT_EQ(path(4), "");
}

TEST(TraceRows, ThreadsAreMixedByTime) {
  SampleRecording sample;
  sample.recording.start();
  call(sample.log, sample.start("first"));
  std::thread([] { const Range range("second"); }).join();
  call(sample.log, sample.start("third"));
  sample.recording.stop();
  const TraceRows rows = collect_rows(sample.recording, everything());
  ASSERT_EQ(rows.rows.size(), 3U);
  EXPECT_EQ(rows.rows[1].log, 1U);
  EXPECT_EQ(name_of(sample, rows.rows[1]), "second");
}

TEST(TraceRows, ThePeakIsWhatWasHeldAtOnceSinceAWindowBegan) {
  const auto row = [](std::int64_t time_ns, std::int64_t bytes, std::int16_t device = 0) {
    MemoryRow memory;
    memory.time_ns = time_ns;
    memory.bytes = bytes;
    memory.device_type = device;
    return TraceMemoryRow{memory, 0};
  };
  const std::vector<TraceMemoryRow> memory = {
      row(1, 100), row(2, -300), row(3, 150), row(11, 40), row(12, 5'000, 1), row(13, 30)};
  EXPECT_EQ(peak_bytes(memory, {{0, 10}}), 100);
  EXPECT_EQ(peak_bytes(memory, {{0, 10}, {10, 20}}), 100);
  EXPECT_EQ(peak_bytes(memory, {{10, 20}}), 70);
  EXPECT_EQ(peak_bytes({}, {{0, 10}}), 0);
}

}  // namespace
}  // namespace tune::worker
