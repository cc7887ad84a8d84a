#include "worker/recorder/trace_file.h"

#include "base/error.h"
#include "sample_recording.h"
#include "trace/reader/read_trace.h"
#include "worker/recorder/input_bytes.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <array>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>
#include <zlib.h>

namespace tune::worker {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::int64_t kOrigin = 5'000'000'000'001;  // of a clock that has run for a long time

std::string unpacked(const fs::path& file) {
  std::string text(1 << 22, '\0');
  gzFile in = gzopen(file.c_str(), "rb");
  const int got = gzread(in, text.data(), static_cast<unsigned>(text.size()));
  gzclose(in);
  text.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
  return text;
}

// Rows with given times, and the file written from them.
class Written {
 public:
  Written() {
    facts_.process = 412;
    facts_.origin_ns = kOrigin;
    facts_.origin_unix_ns = 1'790'000'000'123'456'789;
    facts_.end_ns = kOrigin + 2'000'000'000;
    facts_.dtypes = {"unsigned char", "float"};
    rows.modules.emplace_back();
  }

  TraceRow& add(const std::string& name, std::int64_t start_ns, std::int64_t duration_ns) {
    TraceRow row;
    row.name = sample.name(name);
    row.start_ns = kOrigin + start_ns;
    row.end_ns = row.start_ns + duration_ns;
    rows.rows.push_back(row);
    return rows.rows.back();
  }

  fs::path write() {
    const auto* const test = testing::UnitTest::GetInstance()->current_test_info();
    const fs::path path =
        fs::path(testing::TempDir()) / (std::string("tune-trace-") + test->name() + ".json.gz");
    size = write_trace_file(path, sample.recording, rows, facts_);
    return path;
  }

  json events() { return json::parse(unpacked(write())).at("traceEvents"); }

  profile::Timeline read() { return profile::read_trace(write()); }

  SampleRecording sample;
  TraceRows rows;
  TraceFileSize size;
  trial::Profile& profile() { return facts_.profile; }

 private:
  TraceFacts facts_;
};

const json& row_called(const json& events, const std::string& name) {
  for (const json& event : events) {
    if (event.at("ph") == "X" && event.at("name") == name) {
      return event;
    }
  }
  throw std::runtime_error("no row is called " + name);
}

TEST(TraceFile, OurReaderReproducesEveryNanosecond) {
  Written written;
  std::vector<std::pair<std::int64_t, std::int64_t>> times;  // start, duration
  std::int64_t now_ns = 1;
  for (std::int64_t i = 0; i < 5'000; ++i) {
    const std::int64_t duration_ns = (i * i * 7919) % 1'000'003;
    times.emplace_back(now_ns, duration_ns);
    written.add("aten::op" + std::to_string(i % 17), now_ns, duration_ns);
    now_ns += duration_ns + 1 + i % 999;
  }
  const profile::Timeline timeline = written.read();
  EXPECT_EQ(timeline.base_time_ns, 1'790'000'000'123'456'789);
  ASSERT_EQ(timeline.events.size(), times.size());
  for (std::size_t i = 0; i < times.size(); ++i) {
    ASSERT_EQ(timeline.events[i].start_ns, times[i].first) << i;
    ASSERT_EQ(timeline.events[i].duration_ns, times[i].second) << i;
    ASSERT_EQ(timeline.name(timeline.events[i]), "aten::op" + std::to_string(i % 17));
  }
  EXPECT_EQ(timeline.notes.total(profile::NoteClass::dropped), 0);
  EXPECT_EQ(timeline.notes.total(profile::NoteClass::repaired), 0);
  EXPECT_TRUE(timeline.notes.warnings().empty());
  EXPECT_EQ(timeline.window_end_ns, 2'000'000'000);
  EXPECT_EQ(timeline.rank.rank, 0);
}

// The rules of Chrome's format, which Perfetto follows.
TEST(TraceFile, EveryRowHasWhatChromesFormatAsksFor) {
  Written written;
  written.add("ProfilerStep#3", 100, 1'000).kind = EventKind::annotation;
  TraceRow& op = written.add("aten::mm", 200, 50);
  op.sequence = 7;
  written.add("MmBackward0", 300, 50).kind = EventKind::backward;
  written.rows.links.push_back({1, 2});
  written.rows.memory.push_back({MemoryRow{kOrigin + 210, 4096, 64, 0, 0, 0, -1}, 0});
  const json events = written.events();
  int flows = 0;
  for (const json& event : events) {
    const std::string phase = event.at("ph");
    EXPECT_NE(std::string("XMsfi").find(phase), std::string::npos) << event;
    EXPECT_TRUE(event.at("name").is_string());
    EXPECT_TRUE(event.at("ts").is_number());
    EXPECT_TRUE(event.contains("pid") && event.contains("tid"));
    EXPECT_TRUE(phase != "X" || (event.at("dur") >= 0 && event.contains("cat")));
    EXPECT_TRUE(phase != "f" || event.at("bp") == "e");
    flows += phase == "s" || phase == "f" ? 1 : 0;
  }
  EXPECT_EQ(flows, 2);
  EXPECT_EQ(row_called(events, "ProfilerStep#3").at("cat"), "user_annotation");
  const json& operator_row = row_called(events, "aten::mm");
  EXPECT_EQ(operator_row.at("cat"), "cpu_op");
  EXPECT_EQ(operator_row.at("pid"), 412);
  EXPECT_EQ(operator_row.at("args").at("Sequence number"), 7);
  EXPECT_EQ(operator_row.at("args").at("Fwd thread id"), 0);
  EXPECT_EQ(operator_row.at("args").at("External id"), 2);
  EXPECT_EQ(row_called(events, "MmBackward0").at("cat"), "cpu_op");
}

TEST(TraceFile, SaysWhatOtherReadersLookFor) {
  Written written;
  written.profile().record_shapes = true;
  written.add("aten::mm", 1, 1);
  const std::string text = unpacked(written.write());
  EXPECT_NE(text.find("\"rank\": 0"), std::string::npos) << "HTA wants the space";
  const json document = json::parse(text);
  EXPECT_EQ(document.at("schemaVersion"), 1);
  EXPECT_EQ(document.at("record_shapes"), 1);
  EXPECT_FALSE(document.contains("with_modules"));
  EXPECT_EQ(document.at("baseTimeNanoseconds"), 1'790'000'000'123'456'789);
  EXPECT_EQ(document.at("tune_lost_events"), 0);
  EXPECT_EQ(written.size.json_bytes, static_cast<std::int64_t>(text.size()));
}

TEST(TraceFile, NamesOfAnyBytesAreWrittenSoThatEveryReaderTakesThem) {
  Written written;
  written.add("a \"quote\"\n\xff", 1, 1);
  EXPECT_EQ(row_called(written.events(), "a \"quote\"\n\xef\xbf\xbd").at("dur"), 0.001);
}

TEST(TraceFile, InputsAreThoseOfTorchProfiler) {
  Written written;
  const std::array<std::int64_t, 2> sizes = {8, 3}, strides = {3, 1};
  InputBytes bytes(written.sample.log.input_space());
  bytes.add(TensorShape{1, sizes, strides});
  bytes.add(std::int64_t{2});
  written.add("aten::mul", 1, 1).inputs = written.sample.log.keep_inputs(bytes.size());
  const profile::Timeline timeline = written.read();
  const profile::OpDetail* const op = timeline.op(timeline.events.at(0));
  ASSERT_NE(op, nullptr);
  EXPECT_EQ(timeline.strings.text(op->input_dims), "[[8,3],[]]");
  EXPECT_EQ(timeline.strings.text(op->input_types), R"(["float","Scalar"])");
  EXPECT_EQ(timeline.strings.text(op->input_strides), "[[3,1],[]]");
  EXPECT_EQ(timeline.strings.text(op->concrete_inputs), R"(["","2"])");
}

TEST(TraceFile, ModulesAreRangesAndOperatorsNameTheirs) {
  Written written;
  written.rows.modules.emplace_back("block0.conv1");
  TraceRow& module = written.add("conv1", 1, 10);
  module.kind = EventKind::module;
  module.module = 1;
  written.add("aten::conv2d", 2, 5).module = 1;
  const json events = written.events();
  EXPECT_EQ(row_called(events, "nn.Module: block0.conv1").at("cat"), "user_annotation");
  EXPECT_EQ(row_called(events, "aten::conv2d").at("args").at("Module Hierarchy"), "block0.conv1");
}

TEST(TraceFile, MemoryIsReadAsItWasWritten) {
  Written written;
  written.add("aten::empty", 1, 100);
  written.rows.memory = {{MemoryRow{kOrigin + 5, 4096, 192, 0, 0, 0, -1}, 0},
                         {MemoryRow{kOrigin + 9, 4096, -192, 7, 8, 1, 0}, 0}};
  const profile::Timeline timeline = written.read();
  ASSERT_EQ(timeline.memory.size(), 2U);
  EXPECT_EQ(timeline.memory[0].time_ns, 5);
  EXPECT_EQ(timeline.memory[0].bytes, 192);
  EXPECT_EQ(timeline.memory[0].address, 4096);
  EXPECT_EQ(timeline.memory[0].total_allocated_bytes, profile::kUnknownNumber);
  EXPECT_EQ(timeline.memory[1].bytes, -192);
  EXPECT_EQ(timeline.memory[1].total_allocated_bytes, 7);
  EXPECT_EQ(timeline.memory[1].device_type, 1);
}

TEST(TraceFile, ThreadsHaveTheirNames) {
  Written written;
  written.add("aten::mm", 1, 1);
  const profile::Timeline timeline = written.read();
  const profile::Track& track = timeline.track(timeline.events.at(0));
  EXPECT_EQ(timeline.strings.text(track.process), "412");
  EXPECT_NE(timeline.strings.text(track.thread_name).find("thread "), std::string_view::npos);
}

TEST(TraceFile, ATraceOfManyBlocksIsWhole) {
  Written written;
  for (std::int64_t i = 0; i < 10'000; ++i) {
    written.add("autograd::engine::evaluate_function: ConvolutionBackward0", 1 + 10 * i, 5);
  }
  EXPECT_EQ(written.read().events.size(), 10'000U);
  EXPECT_GT(written.size.json_bytes, 1 << 20);
  EXPECT_LT(written.size.file_bytes, written.size.json_bytes / 4) << "what a disk must have left";
}

TEST(TraceFile, SaysWhyItCannotBeWritten) {
  const SampleRecording sample;
  EXPECT_THROW(write_trace_file("/nowhere/trace.json.gz", sample.recording, {}, {}), Error);
}

}  // namespace
}  // namespace tune::worker
