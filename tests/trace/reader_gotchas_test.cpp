// What real files contain: one small trace for each.

#include "base/error.h"
#include "trace_text.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tune::profile {
namespace {

std::int64_t count(const Timeline& timeline, NoteKind kind) {
  return timeline.notes.of(kind).count;
}

TEST(Reader, ReadsTheRowsOfTheFormat) {
  const Timeline timeline = read_events(
      row("cpu_op",
          "aten::mm",
          "1510.125",
          "88.500",
          R"("External id":92,"Sequence number":17,"Fwd thread id":0,"Input Dims":[[64, 512], [512,256]],"Input type":["float","float"])") +
      "," +
      row("kernel",
          "sm90_xmma_gemm_f32",
          "1542.750",
          "20.500",
          R"("External id":92,"queued":0,"device":0,"context":1,"stream":7,"correlation":640,"registers per thread":96,"shared memory":49152,"blocks per SM":0.97,"warps per SM":7.76,"grid":[8,16,1],"block":[256,1,1],"est. achieved occupancy %":12)"));
  ASSERT_EQ(timeline.events.size(), 2U);
  const Event& op = timeline.events[0];
  EXPECT_EQ(timeline.name(op), "aten::mm");
  EXPECT_EQ(op.start_ns, 1510125);
  EXPECT_EQ(op.duration_ns, 88500);
  EXPECT_EQ(op.external_id, 92);
  ASSERT_NE(timeline.op(op), nullptr);
  EXPECT_EQ(timeline.strings.text(timeline.op(op)->input_dims), "[[64,512],[512,256]]");
  EXPECT_EQ(timeline.op(op)->sequence_number, 17);
  const Event& kernel = timeline.events[1];
  EXPECT_EQ(kernel.correlation, 640);
  ASSERT_NE(timeline.kernel(kernel), nullptr);
  EXPECT_EQ(timeline.kernel(kernel)->grid, (std::array<std::int32_t, 3>{8, 16, 1}));
  EXPECT_FLOAT_EQ(timeline.kernel(kernel)->blocks_per_sm, 0.97F);
  EXPECT_FLOAT_EQ(timeline.kernel(kernel)->occupancy_ratio, 0.12F);
  EXPECT_TRUE(timeline.track(kernel).is_device);
  EXPECT_EQ(timeline.track(kernel).stream, 7);
  EXPECT_EQ(timeline.notes.total(NoteClass::dropped) + timeline.notes.total(NoteClass::repaired),
            0);
}

TEST(Reader, FindsEventsBetweenForeignKeysAndInABareArray) {
  const std::string event = row("cpu_op", "aten::add", "5", "1");
  const Timeline middle = read_text(
      R"({"metadata": {"traceEvents": [1], "x": "\"]}"}, "a": [[]], "traceEvents": [)" + event +
      R"(], "distributedInfo": {"rank": 3, "world_size": 8}, "baseTimeNanoseconds": 17, "schemaVersion": 1})");
  EXPECT_EQ(middle.events.size(), 1U);
  EXPECT_EQ(middle.rank.rank, 3);
  EXPECT_EQ(middle.rank.world_size, 8);
  EXPECT_EQ(middle.base_time_ns, 17);
  EXPECT_EQ(middle.events[0].start_ns, 5000);
  EXPECT_EQ(read_text("\xef\xbb\xbf [" + event + ",\n" + event + ",]").events.size(), 2U);
}

TEST(Reader, ReadsNamesOf2021) {
  const Timeline timeline = read_events(
      R"({"ph": "X", "cat": "Operator", "name": "aten::empty", "pid": 25738, "tid": "25738", "ts": 1623143093496523, "dur": 21, "args": {"Call stack": "a;b"}},)"
      R"({"ph": "X", "cat": "Kernel", "name": "k", "pid": 0, "tid": "stream 7", "ts": 1623143093553659, "dur": 2, "args": {"external id": 24213}},)"
      R"({"ph": "i", "s": "t", "name": "[memory]", "pid": 25738, "tid": 25738, "ts": 1623143093496534, "args": {"Device Type": 0, "Device Id": -1, "Bytes": 4}})");
  ASSERT_EQ(timeline.events.size(), 2U);
  EXPECT_EQ(timeline.events[0].category, Category::cpu_op);
  EXPECT_EQ(timeline.events[1].external_id, 24213);
  EXPECT_EQ(timeline.track(timeline.events[1]).stream, 7);
  EXPECT_EQ(timeline.track(timeline.events[1]).device, 0);
  ASSERT_EQ(timeline.memory.size(), 1U);
  EXPECT_EQ(timeline.memory[0].bytes, 4);
  EXPECT_EQ(timeline.memory[0].total_allocated_bytes, kUnknownNumber);
  EXPECT_EQ(count(timeline, NoteKind::call_stack), 1);
}

TEST(Reader, ReadsTracesFromBeforeKineto) {
  const Timeline timeline = read_text(
      R"([{"name": "add", "ph": "X", "ts": 1.5, "dur": 2, "tid": 1, "pid": "CPU functions", "args": {}},)"
      R"({"name": "add", "ph": "X", "ts": 2.5, "dur": 1, "tid": 0, "pid": "CUDA functions", "args": {}}])");
  ASSERT_EQ(timeline.events.size(), 2U);
  EXPECT_EQ(timeline.events[0].category, Category::cpu_op);
  EXPECT_EQ(timeline.events[1].category, Category::kernel);
}

TEST(Reader, ClassifiesByCategoryNotByPid) {
  const std::string python =
      R"({"ph": "X", "cat": "python_function", "name": "train.py(1): f", "pid": 0, "tid": 0, "ts": 1, "dur": 9, "args": {"Python id": 4, "Python parent id": null}},)" +
      row("kernel", "k", "2", "1");
  const Timeline without = read_events(python);
  EXPECT_EQ(without.events.size(), 1U);
  EXPECT_EQ(count(without, NoteKind::python_function), 1);
  const Timeline with = read_events(python, {.with_python = true});
  ASSERT_EQ(with.events.size(), 2U);
  EXPECT_EQ(with.events[0].category, Category::python_function);
  EXPECT_FALSE(with.track(with.events[0]).is_device);
  EXPECT_EQ(with.frames[with.events[0].detail].id, 4);
  EXPECT_EQ(with.frames[with.events[0].detail].parent, kUnknownId);
}

TEST(Reader, KeepsFramesOfPythonsCollectorAndOfTolist) {
  const Timeline timeline = read_events(
      R"({"ph": "X", "cat": "python_function", "name": "train.py(1): f", "pid": 0, "tid": 0, "ts": 1, "dur": 9, "args": {}},)"
      R"({"ph": "X", "cat": "python_function", "name": "Python GC", "pid": 0, "tid": 0, "ts": 2, "dur": 3, "args": {"Ev Idx": 3}},)"
      R"({"ph": "X", "cat": "python_function", "name": "<built-in method tolist of Tensor object at 0x7f>", "pid": 0, "tid": 0, "ts": 7, "dur": 1},)"
      R"({"ph": "X", "name": "<built-in function collect>", "cat": "python_function", "pid": 0, "tid": 0, "ts": 2, "dur": 4})");
  EXPECT_EQ(count(timeline, NoteKind::python_function), 1);
  ASSERT_EQ(timeline.events.size(), 3U);
  EXPECT_EQ(timeline.name(timeline.events[1]), "Python GC");
  EXPECT_EQ(timeline.events[0].duration_ns, 4000);
  EXPECT_EQ(timeline.events[2].duration_ns, 1000);
}

TEST(Reader, ReadsRocm) {
  const Timeline timeline = read_events(
      R"({"ph": "X", "cat": "kernel", "name": "Cijk", "pid": 1, "tid": 3, "ts": 5, "dur": 1, "args": {"stream": "0x1f", "external id": 8}},)"
      R"({"ph": "X", "cat": "gpu_memcpy", "name": "CopyHostToDevice", "pid": 1, "tid": 3, "ts": 7, "args": {"device": 1}})");
  ASSERT_EQ(timeline.events.size(), 2U);
  EXPECT_EQ(timeline.track(timeline.events[0]).stream, 31);
  EXPECT_EQ(timeline.track(timeline.events[0]).device, 1);
  EXPECT_EQ(timeline.events[0].correlation, kUnknownId);
  EXPECT_EQ(timeline.events[1].duration_ns, 0);
  EXPECT_EQ(count(timeline, NoteKind::missing_duration), 1);
}

TEST(Reader, KnowsCategoriesOfOtherVendors) {
  EXPECT_EQ(category_of("xpu_runtime"), Category::runtime);
  EXPECT_EQ(category_of("privateuse1_driver"), Category::driver);
  EXPECT_EQ(category_of("glow_runtime"), Category::runtime);
  EXPECT_EQ(category_of("KERNEL"), Category::kernel);
  EXPECT_EQ(category_of("hpu_op"), Category::runtime);
  EXPECT_EQ(category_of("mtia_ccp_events"), Category::kernel);
  EXPECT_EQ(category_of("mtia_insight"), Category::other);
  EXPECT_FALSE(is_known_category("blink.user_timing"));
}

TEST(Reader, ReadsWorkOfMtiaByItsNames) {
  const Timeline timeline = read_events(row("mtia_runtime", "runFunction - job_prep", "1", "9") +
                                        "," + row("mtia_ccp_events", "fc-dtype_Float", "11", "9") +
                                        "," + row("mtia_ccp_events", "dma_request", "21", "9") +
                                        "," + row("mtia_ccp_events", "event_wait", "31", "9"));
  ASSERT_EQ(timeline.events.size(), 4U);
  EXPECT_EQ(timeline.events[0].category, Category::runtime);
  EXPECT_EQ(timeline.events[1].category, Category::kernel);
  EXPECT_EQ(timeline.events[2].category, Category::memcpy);
  EXPECT_EQ(timeline.events[3].category, Category::synchronization);
}

TEST(Reader, DropsTimesThatCannotBe) {
  const Timeline timeline =
      read_events(row("user_annotation", "ProfilerStep#1", "1623142623460111", "2000000") + "," +
                  row("kernel", "good", "1623142623460211", "10") + "," +
                  row("kernel", "never filled in", "0", "3") + "," +
                  row("kernel", "longer than the trace", "1623142623460311", "50000000") + "," +
                  row("kernel", "a month", "1623142623460411", "2592000000000") + "," +
                  row("kernel", "negative", "1623142623460511", "-4") + "," +
                  row("kernel", "no time", R"("soon")", "4"));
  EXPECT_EQ(timeline.events.size(), 2U);
  EXPECT_EQ(count(timeline, NoteKind::zero_time), 1);
  EXPECT_EQ(count(timeline, NoteKind::impossible_duration), 2);
  EXPECT_EQ(count(timeline, NoteKind::negative_duration), 1);
  EXPECT_EQ(count(timeline, NoteKind::row_without_time), 1);
}

TEST(Reader, KeepsALongKernelOfAFewRows) {
  const Timeline timeline = read_events(row("cuda_runtime", "cudaLaunchKernel", "0", "5") + "," +
                                        row("kernel", "long", "6", "400"));
  EXPECT_EQ(timeline.events.size(), 2U);
}

TEST(Reader, MendsWhatIsNoJson) {
  const Timeline timeline = read_events(
      row("kernel",
          "nan",
          "1",
          "1",
          R"("blocks per SM": nan, "warps per SM": -inf, "est. achieved occupancy %": N/A, "grid": [1, 1, 1])") +
      "," + row("kernel", "raw\nline\ttab", "2", "1") + "," +
      row("kernel", "bad \xff utf8", "3", "1") + "," +
      row("kernel", R"x(f("a", "b") [with T = "int"])x", "4", "1") + "," +
      row("kernel", R"(wrong \x escape)", "5", "1") + "," +
      row("kernel",
          "large",
          "6",
          "1",
          R"("correlation": 5, "Comms Id": 17723406289164013343, "Seq": 99999999999999999999, "Collective name": "allreduce")"));
  ASSERT_EQ(timeline.events.size(), 6U);
  EXPECT_TRUE(std::isnan(timeline.kernel(timeline.events[0])->blocks_per_sm));
  EXPECT_EQ(timeline.kernel(timeline.events[0])->grid[0], 1);
  EXPECT_EQ(count(timeline, NoteKind::not_a_number), 3);
  EXPECT_EQ(timeline.name(timeline.events[1]), "raw\nline\ttab");
  EXPECT_EQ(count(timeline, NoteKind::control_character), 1);
  EXPECT_EQ(timeline.name(timeline.events[2]), "bad \xef\xbf\xbd utf8");
  EXPECT_EQ(count(timeline, NoteKind::invalid_utf8), 1);
  EXPECT_EQ(timeline.name(timeline.events[3]), R"x(f("a", "b") [with T = "int"])x");
  EXPECT_EQ(count(timeline, NoteKind::unescaped_quote), 1);
  EXPECT_EQ(timeline.events[5].correlation, 5);
  EXPECT_EQ(count(timeline, NoteKind::beyond_int64), 1);
  ASSERT_EQ(timeline.collectives.size(), 1U);
  EXPECT_EQ(timeline.collectives[0].sequence, kUnknownNumber);
}

TEST(Reader, PairsBeginsAndEnds) {
  const auto edge = [](const char* phase, const char* name, const char* ts) {
    return std::string(R"({"ph": ")") + phase + R"(", "cat": "cpu_op", "name": ")" + name +
           R"(", "pid": "p", "tid": 1, "ts": )" + ts + "}";
  };
  const Timeline timeline = read_events(edge("B", "outer", "1") + "," + edge("B", "inner", "2") +
                                        "," + edge("E", "", "5") + "," + edge("E", "", "9") + "," +
                                        edge("E", "", "10") + "," + edge("B", "open", "11"));
  ASSERT_EQ(timeline.events.size(), 2U);
  EXPECT_EQ(timeline.name(timeline.events[0]), "outer");
  EXPECT_EQ(timeline.events[0].duration_ns, 8000);
  EXPECT_EQ(timeline.events[1].duration_ns, 3000);
  EXPECT_EQ(count(timeline, NoteKind::end_without_begin), 1);
  EXPECT_EQ(count(timeline, NoteKind::begin_without_end), 1);
}

TEST(Reader, ReadsATruncatedTailUpToItsLastWholeRow) {
  const std::string rows =
      row("cpu_op", "aten::add", "5", "1") + "," + row("cpu_op", "aten::mul", "6", "1");
  const std::string whole = R"({"traceEvents": [)" + rows;
  for (std::size_t cut = 1; cut < 60; ++cut) {
    const Timeline timeline = read_text(whole.substr(0, whole.size() - cut));
    EXPECT_EQ(timeline.events.size(), 1U) << cut;
    EXPECT_EQ(count(timeline, NoteKind::truncated_tail), 1) << cut;
    EXPECT_EQ(timeline.notes.warnings().size(), 1U);
  }
}

TEST(Reader, GoesOnBehindARowThatHasNoEnd) {
  const Timeline timeline =
      read_events(row("cpu_op", "one", "5", "1") + R"(, {"ph": "X", "name" "broken, )" +
                  row("cpu_op", "two", "6", "1"));
  EXPECT_EQ(timeline.events.size(), 2U);
  EXPECT_EQ(count(timeline, NoteKind::unreadable_row), 1);
}

TEST(Reader, NamesTracksAndRanks) {
  const Timeline timeline = read_trace(
      std::make_unique<MemorySource>(
          R"([{"name": "process_name", "ph": "M", "pid": 412, "tid": 0, "args": {"name": "python3"}},)"
          R"({"name": "thread_name", "ph": "M", "pid": 412, "tid": 412, "args": {"name": "main"}},)" +
          row("cpu_op", "aten::add", "5", "1") + "]"),
      "worker_Rank-12.json");
  const Track& track = timeline.track(timeline.events[0]);
  EXPECT_EQ(timeline.strings.text(track.process_name), "python3");
  EXPECT_EQ(timeline.strings.text(track.thread_name), "main");
  EXPECT_EQ(timeline.rank.rank, 12);
  EXPECT_EQ(timeline.rank.source, "file name");
}

TEST(Reader, KeepsTheBeginningOfWhatDoesNotFitIntoMemory) {
  std::string rows;
  constexpr int kRows = 60'000;
  for (int i = 0; i < kRows; ++i) {  // operators first, then kernels, as profilers write them
    const bool is_kernel = i >= kRows / 2;
    rows += (rows.empty() ? "" : ",") + row(is_kernel ? "kernel" : "cpu_op",
                                            "n",
                                            std::to_string(i % (kRows / 2)),
                                            "1",
                                            R"("grid": [1, 2, 3], "Sequence number": 5)");
  }
  const std::string json = "[" + rows + "]";
  const auto source = [&json] { return std::make_unique<MemorySource>(json, 1 << 16); };
  constexpr std::int64_t kLimit = 3 << 20;
  const Timeline timeline = read_trace(source(), "large.json", {.memory_limit_bytes = kLimit});
  ASSERT_TRUE(timeline.cut_at_ns.has_value());
  const auto of = [&](Category category) {
    return std::count_if(timeline.events.begin(), timeline.events.end(), [&](const Event& event) {
      return event.category == category;
    });
  };
  EXPECT_GT(of(Category::kernel), 1000);
  EXPECT_EQ(of(Category::kernel), of(Category::cpu_op));
  EXPECT_EQ(count(timeline, NoteKind::beyond_memory_limit) +
                static_cast<std::int64_t>(timeline.events.size()),
            kRows);
  for (const Event& event : timeline.events) {
    ASSERT_LT(event.start_ns, *timeline.cut_at_ns);
    if (event.category == Category::kernel) {
      ASSERT_EQ(timeline.kernel(event)->grid[2], 3);
    }
  }
}

TEST(Reader, KeepsLongPythonFramesUnasked) {
  const auto frame = [](const char* name, const char* us) {
    return std::string(R"({"ph": "X", "cat": "python_function", "name": ")") + name +
           R"(", "pid": 0, "tid": 0, "ts": 1, "dur": )" + us + R"(, "args": {"Python id": 4}})";
  };
  const Timeline timeline =
      read_events(frame("train.py(9): main", "1000.5") + "," + frame("train.py(3): step", "999.5"));
  ASSERT_EQ(timeline.events.size(), 1U);
  EXPECT_EQ(timeline.name(timeline.events[0]), "train.py(9): main");
  EXPECT_EQ(count(timeline, NoteKind::python_function), 1);
}

std::string named(const char* what, int process, int thread, const char* name) {
  return R"({"ph": "M", "name": ")" + std::string(what) + R"(", "pid": )" +
         std::to_string(process) + R"(, "tid": )" + std::to_string(thread) +
         R"(, "args": {"name": ")" + name + R"("}})";
}

const Event& row_of(const Timeline& timeline, const char* name) {
  return *std::find_if(timeline.events.begin(), timeline.events.end(), [&](const Event& row) {
    return timeline.name(row) == name;
  });
}

TEST(Reader, KnowsRowsOfAscendByTheirProcesses) {
  const auto event = [](const char* name, int process, int thread, const char* start, int id) {
    return R"({"ph": "X", "name": ")" + std::string(name) + R"(", "pid": )" +
           std::to_string(process) + R"(, "tid": )" + std::to_string(thread) + R"(, "ts": ")" +
           start + R"(", "dur": 2, "args": {"connection_id": )" + std::to_string(id) + "}}";
  };
  const Timeline timeline = read_events(
      event("AscendCL@aclnnMm", 50, 7, "1.5", 8) + "," +
      event("aclnnMm_MatMulCommon_MatMulV2", 800, 3, "4.5", 8) + "," +
      event("MEMCPY_ASYNC", 800, 3, "7.5", 9) + "," + event("EVENT_WAIT", 800, 4, "8.5", 10) + "," +
      event("Computing", 900, 0, "4.5", 0) + "," +
      named("process_name", 800, 0, "Ascend Hardware") + "," +
      named("thread_name", 800, 3, "Stream 3") + "," + named("process_name", 50, 0, "CANN") + "," +
      named("process_name", 900, 0, "Overlap Analysis"));
  ASSERT_EQ(timeline.events.size(), 5U);
  EXPECT_EQ(timeline.events[0].category, Category::runtime);
  EXPECT_EQ(timeline.events[0].correlation, 8);
  const Event& kernel = row_of(timeline, "aclnnMm_MatMulCommon_MatMulV2");
  EXPECT_EQ(kernel.category, Category::kernel);
  EXPECT_EQ(kernel.correlation, 8);
  EXPECT_TRUE(timeline.track(kernel).is_device);
  EXPECT_EQ(timeline.track(kernel).device, 0);
  EXPECT_EQ(timeline.track(kernel).stream, 3);
  EXPECT_EQ(row_of(timeline, "MEMCPY_ASYNC").category, Category::memcpy);
  EXPECT_EQ(row_of(timeline, "EVENT_WAIT").category, Category::synchronization);
  EXPECT_EQ(row_of(timeline, "Computing").category, Category::other);
}

TEST(Reader, KnowsRowsOfXlaByTheirProcesses) {
  const auto event = [](const char* name, int process, int thread) {
    return R"({"ph": "X", "name": ")" + std::string(name) + R"(", "pid": )" +
           std::to_string(process) + R"(, "tid": )" + std::to_string(thread) +
           R"(, "ts": 4, "dur": 2, "args": {"hlo_module": "jit_step"}})";
  };
  const Timeline timeline = read_events(
      event("loop_add_fusion", 1, 13) + "," + event("MemcpyH2D", 1, 14) + "," +
      event("jit_step", 1, 2) + "," + event("PjitFunction(step)", 701, 9) + "," +
      event("fusion.1", 3, 1) + "," + named("process_name", 1, 0, "/device:GPU:0") + "," +
      named("thread_name", 1, 13, "Stream #13(Compute)") + "," +
      named("thread_name", 1, 14, "Stream #14(MemcpyH2D)") + "," +
      named("thread_name", 1, 2, "XLA Modules") + "," + named("process_name", 701, 0, "/host:CPU") +
      "," + named("process_name", 3, 0, "/device:TPU:0") + "," +
      named("thread_name", 3, 1, "XLA Ops"));
  const Event& kernel = row_of(timeline, "loop_add_fusion");
  EXPECT_EQ(kernel.category, Category::kernel);
  EXPECT_EQ(timeline.track(kernel).device, 0);
  EXPECT_EQ(timeline.track(kernel).stream, 13);
  EXPECT_EQ(row_of(timeline, "MemcpyH2D").category, Category::memcpy);
  EXPECT_EQ(row_of(timeline, "fusion.1").category, Category::kernel);
  EXPECT_EQ(timeline.track(row_of(timeline, "fusion.1")).device, 1);
  EXPECT_EQ(row_of(timeline, "jit_step").category, Category::other) << "the same time again";
  EXPECT_EQ(row_of(timeline, "PjitFunction(step)").category, Category::other);
  ASSERT_FALSE(timeline.notes.warnings().empty());
  EXPECT_NE(timeline.notes.warnings().front().find("XLA"), std::string::npos);
}

TEST(Reader, SaysThatAFileWasMergedWithItself) {
  const auto rows = [](int count) {
    std::string text;
    for (int i = 0; i < count; ++i) {  // each third begins and ends with the one before it
      text += (i == 0 ? "" : ",") + row("cpu_op",
                                        i % 3 == 0 ? "aten::mm" : "aten::add",
                                        std::to_string(i % 3 == 2 ? 10 * i - 10 : 10 * i),
                                        "5",
                                        "\"External id\": " + std::to_string(i));
    }
    return text;
  };
  EXPECT_TRUE(read_events(rows(60)).notes.warnings().empty());
  EXPECT_TRUE(read_events(rows(60) + "," + rows(20)).notes.warnings().empty());
  const auto warnings = read_events(rows(60) + "," + rows(60)).notes.warnings();
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings.front(),
            "nearly every row is there twice: 60 of 120 have the name, track and time of another; "
            "counts and sums are of the file as it is");
}

}  // namespace
}  // namespace tune::profile
