#include "advice/diagnosis.h"
#include "advice/rule/catalog.h"
#include "advice/rule/trace_facts.h"
#include "approved.h"
#include "page_check.h"
#include "report/diagnosis_text.h"
#include "report/result_of.h"
#include "report/trace_json.h"
#include "report/trace_pages.h"
#include "trace/metric/trace_metrics.h"
#include "trace/table/tables.h"
#include "trace_text.h"
#include "xml_check.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tune::report {
namespace {

using profile::read_text;
using profile::row;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TraceAnalysis analysis_of(const metric::TraceInput& input) {
  TraceAnalysis analysis{.input = input,
                         .metrics = metric::trace_metrics(input),
                         .tables = table::all_tables(metric::table_input(input))};
  analysis.read_ns = 2'000'000;
  analysis.tune_version = "0.1.0";
  analysis.commit = "0123456789ab";
  analysis.command = {"./tune", "analyze", "my trace.json"};
  analysis.started_utc = "2026-11-22T00:00:00Z";
  return analysis;
}

std::string page_of(const std::string& json, const profile::ReadOptions& options = {}) {
  const profile::Timeline timeline = read_text(json, options);
  return to_trace_html(analysis_of(metric::examine(timeline)));
}

std::string page_of_events(const std::string& events) {
  return page_of(R"({"traceEvents": [)" + events + "]}");
}

std::string us(int value) {
  return std::to_string(value);
}

std::string memory_row(int time_us, int bytes, int allocated) {
  return R"({"ph": "i", "cat": "cpu_instant_event", "name": "[memory]", "pid": 412, "tid": 412, "ts": )" +
         us(time_us) + R"(, "args": {"Device Type": 1, "Device Id": 0, "Addr": 7, "Bytes": )" +
         us(bytes) + R"(, "Total Allocated": )" + us(allocated) +
         R"(, "Total Reserved": 4194304}})";
}

// A step of training: the loader, an operator with its launch, a kernel behind it, a copy, memory.
std::string step(int number, int begin_us) {
  const std::string correlation = R"("correlation": )" + us(number);
  return row("user_annotation", "ProfilerStep#" + us(number), us(begin_us), us(900 + 20 * number)) +
         "," +
         row("user_annotation",
             "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__",
             us(begin_us + 10),
             "100") +
         "," + row("cpu_op", "aten::linear", us(begin_us + 150), "300") + "," +
         row("cpu_op", "aten::addmm", us(begin_us + 160), "250", R"("External id": 9)") + "," +
         row("cuda_runtime", "cudaLaunchKernel", us(begin_us + 200), "20", correlation) + "," +
         row("kernel",
             "void cutlass::Kernel<cutlass_80_tensorop_s16816gemm_relu_bf16_256x128_32x3_nn_align8>"
             "(cutlass::Params)",
             us(begin_us + 300),
             "400",
             correlation +
                 R"(, "stream": 7, "blocks per SM": 0.5, "est. achieved occupancy %": 12)") +
         "," +
         row("gpu_memcpy",
             "Memcpy HtoD (Pageable -> Device)",
             us(begin_us + 120),
             "60",
             R"("stream": 7, "bytes": 4096, "correlation": 77)") +
         "," + memory_row(begin_us + 170, 1 << 20, 1 << 21) + "," +
         memory_row(begin_us + 400, -(1 << 20), 1 << 20);
}

std::string training() {
  return R"({"schemaVersion": 1, "record_shapes": 1, "cuda_runtime_version": 12040,
"deviceProperties": [{"id": 0, "name": "NVIDIA H100 80GB HBM3", "totalGlobalMem": 85520809984, "numSms": 132}],
"distributedInfo": {"backend": "nccl", "rank": 1, "world_size": 4},
"baseTimeNanoseconds": 1700000000000000000, "traceEvents": [)" +
         step(1, 1000) + "," + step(2, 2100) + "," + step(3, 3200) + "," +
         row("kernel", "broken", "3300", "-4") + "," +
         row("kernel", "unknown", "3400", "5", R"("blocks per SM": nan)") + "]}";
}

TEST(TraceHtml, IsTheApprovedPage) {
  expect_approved("tests/golden/report/analysis.html", page_of(training()));
}

TEST(TraceHtml, HasTheRecommendationsOfTheOtherForms) {
  const profile::Timeline timeline = read_text(training());
  const metric::TraceInput input = metric::examine(timeline);
  TraceAnalysis analysis = analysis_of(input);
  const rule::Catalog catalog = rule::read_catalog(rule::shipped_rules());
  const advice::Diagnosis diagnosis =
      advice::diagnose(catalog, rule::facts_of_trace(input, analysis.metrics));
  analysis.diagnosis = &diagnosis;
  const auto recommendations = nlohmann::json::parse(to_trace_json(analysis))["recommendations"];
  ASSERT_FALSE(recommendations.empty());
  const std::string markdown = to_trace_markdown(analysis);
  const std::string page = to_trace_html(analysis);
  expect_sound_page(page);
  const std::string text = read_xml(page).text;
  for (const auto& each : recommendations) {
    const auto rule = each["rule"].get<std::string>();
    const auto title = each["title"].get<std::string>();
    EXPECT_TRUE(contains(markdown, title)) << title;
    EXPECT_TRUE(contains(text, each["id"].get<std::string>() + ". " + title)) << title;
    EXPECT_TRUE(contains(text, "rule " + rule + ", ")) << rule;
  }
  const result::Result said = result_of(diagnosis);
  EXPECT_TRUE(contains(text, count_words(said)));
  for (const std::string& doubt : doubt_lines(said)) {
    EXPECT_LT(text.find(doubt), text.find("Where the time goes")) << doubt;
  }
  analysis.diagnosis = nullptr;
  EXPECT_FALSE(contains(to_trace_html(analysis), "Recommendations"));
}

TEST(TraceHtml, IsSoundWhateverTheTraceHolds) {
  for (const std::string& events :
       {row("cpu_op", "aten::add", "1", "1"),
        row("kernel", "k", "1", "1"),
        row("user_annotation", "ProfilerStep#1", "0", "9"),
        row("user_annotation", "ProfilerStep#1", "0", "0") + "," + row("kernel", "k", "5", "0"),
        memory_row(5, 100, 100),
        memory_row(5, 100, 100) + "," + memory_row(9, -300, -200)}) {
    SCOPED_TRACE(events);
    expect_sound_page(page_of_events(events));
  }
  expect_sound_page(page_of(training()));
}

TEST(TraceHtml, IsByteIdenticalTheSecondTime) {
  EXPECT_EQ(page_of(training()), page_of(training()));
}

TEST(TraceHtml, KeepsTextOfTheTraceAsText) {
  const std::string evil = R"(</title><script>alert('1')</script>{{body}}&\"|)";
  const std::string page = page_of(
      R"({"deviceProperties": [{"id": 0, "name": ")" + evil + R"("}], "evil": ")" + evil +
      R"(", "traceEvents": [)" + row("user_annotation", "ProfilerStep#1" + evil, "0", "50") + "," +
      row("user_annotation", "ProfilerStep#2" + evil, "60", "50") + "," +
      row("cpu_op", evil, "1", "20") + "," + row("kernel", evil, "5", "10") + "," +
      row("gpu_memcpy", evil, "20", "10") + "," + row(evil, evil, "1", "1") + "]}");
  EXPECT_FALSE(contains(page, "<script>alert"));
  EXPECT_TRUE(contains(page, "&lt;script&gt;alert(&#39;1&#39;)"));
  EXPECT_TRUE(contains(page, "{{body}}")) << "placeholders in values are not filled";
  expect_sound_page(page);
}

TEST(TraceHtml, CutsLongNamesAndKeepsTheWholeInATitle) {
  const std::string name = "void kernel_" + std::string(500, 'x') + "_end";
  const std::string page = page_of_events(row("kernel", name, "1", "5"));
  EXPECT_TRUE(contains(page, "title=\"" + name + "\""));
  EXPECT_TRUE(contains(page, "...xxxxxxxxxxxx_end<"));
  EXPECT_FALSE(contains(page, ">" + name + "<"));
}

TEST(TraceHtml, StaysSmallWhateverIsManyOrLong) {
  std::string events;
  for (int i = 0; i < 300; ++i) {
    const std::string name = us(i) + std::string(3000, '&');
    events += events.empty() ? "" : ",";
    events += row("user_annotation", "ProfilerStep#" + name, us(100 * i), "90") + "," +
              row("cpu_op", name, us(100 * i + 1), "50") + "," +
              row("strange" + us(i), name, us(100 * i), "1") + "," + memory_row(100 * i, 8, i);
  }
  const std::string page = page_of_events(events);
  expect_sound_page(page);
  EXPECT_LE(page.size(), 3'000'000U);
}

TEST(TraceHtml, SaysFirstWhatUndermines) {
  const std::string page = read_xml(page_of(training())).text;
  const std::size_t banner = page.find("Before you trust the numbers");
  ASSERT_NE(banner, std::string::npos);
  EXPECT_LT(banner, page.find("Where the time goes"));
  EXPECT_TRUE(contains(page, "dropped: "));
  EXPECT_TRUE(contains(page, "repaired: "));
  const std::string cut = read_xml(page_of(R"([{"ph": "X", "cat": "cpu_op", "name": "a", "pid": 1,
"tid": 1, "ts": 1, "dur": 5}, {"ph": "X", )"))
                              .text;
  EXPECT_TRUE(contains(cut, "the rest is missing"));
  EXPECT_TRUE(contains(cut, "No step is marked"));
}

TEST(TraceHtml, SaysNothingUnderminesWhenNothingDoes) {
  EXPECT_FALSE(contains(page_of_events(step(1, 0) + "," + step(2, 1000)), "Before you trust"));
}

TEST(TraceHtml, MarksWhereADeviceIsHealthy) {
  const std::string idle = read_xml(page_of(training())).text;
  EXPECT_TRUE(contains(idle, "healthy would be from 90.0 %"));
  const std::string busy =
      read_xml(page_of_events(row("user_annotation", "ProfilerStep#1", "0", "10") + "," +
                              row("kernel", "k", "0", "10")))
          .text;
  EXPECT_TRUE(contains(busy, "100.0 %, healthy: from 90.0 %"));
}

TEST(TraceHtml, SaysWhyWhereNothingIsKnown) {
  const std::string page = read_xml(page_of_events(row("cpu_op", "aten::add", "1", "1"))).text;
  EXPECT_TRUE(contains(page, "What could not be known, and why"));
  EXPECT_TRUE(contains(page, "Not known: the trace has no kernel"));
  EXPECT_FALSE(contains(page_of_events(row("cpu_op", "aten::add", "1", "1")), ">memset<"));
  EXPECT_TRUE(contains(page, "(profile_memory=True)"));
}

TEST(TraceHtml, StepsAreNoOperators) {
  const std::string page = page_of(training());
  EXPECT_FALSE(contains(page, "ProfilerStep*"));
  EXPECT_TRUE(contains(page, "aten::addmm"));
}

TEST(TraceHtml, SaysHowToGetItAgain) {
  const std::string page = read_xml(page_of(training())).text;
  EXPECT_TRUE(contains(page, "./tune analyze 'my trace.json'"));
  EXPECT_TRUE(contains(page, "commit 0123456789ab"));
}

}  // namespace
}  // namespace tune::report
