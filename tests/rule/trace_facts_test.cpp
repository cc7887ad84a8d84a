#include "rule/trace_facts.h"

#include "metric/trace_metrics.h"
#include "trace_text.h"

#include <gtest/gtest.h>

namespace tune::rule {
namespace {

using expression::Result;
using expression::Unknown;
using expression::Value;
using profile::row;

FactTable facts_of(const std::string& events) {
  const profile::Timeline timeline = profile::read_events(events);
  const metric::TraceInput input = metric::examine(timeline);
  return facts_of_trace(input, metric::trace_metrics(input));
}

std::string step(const std::string& more) {
  return row("user_annotation", "ProfilerStep#1", "0", "100") + "," +
         row("user_annotation", "ProfilerStep#2", "100", "100") + more;
}

std::string loader(const std::string& name) {
  return "," + row("user_annotation", "enumerate(DataLoader)#" + name + ".__next__", "10", "30") +
         "," + row("user_annotation", "enumerate(DataLoader)#" + name + ".__next__", "110", "20");
}

std::string copy(const std::string& name, const std::string& bytes) {
  return "," + row("gpu_memcpy", name, "50", "10", "\"bytes\": " + bytes);
}

bool is_known(const FactTable& facts, const char* name) {
  return std::holds_alternative<Value>(facts.value(name));
}

TEST(TraceFacts, AreItsMetricsWithTheirSourceAndRows) {
  const FactTable facts = facts_of(step(loader("_SingleProcessDataLoaderIter")));
  EXPECT_EQ(facts.step_count, 2);
  EXPECT_EQ(facts.value("data_wait_ratio"), Result(Value::of(0.25)));
  const Fact& wait = *facts.find("data_wait_ratio");
  EXPECT_EQ(wait.source, "trace");
  EXPECT_EQ(wait.window, "profile");
  ASSERT_EQ(wait.examples.size(), 2U);
  EXPECT_EQ(wait.examples[0].duration_ns, 30'000);
  EXPECT_EQ(wait.examples[1].duration_ns, 20'000);
}

TEST(TraceFacts, SayWhetherTheLoaderHasWorkers) {
  const FactTable single = facts_of(step(loader("_SingleProcessDataLoaderIter")));
  EXPECT_EQ(single.value("num_workers"), Result(Value::of(0.0)));
  EXPECT_EQ(single.value("loader_ops_on_main_thread"), Result(Value::of(true)));
  const FactTable several = facts_of(step(loader("_MultiProcessingDataLoaderIter")));
  EXPECT_FALSE(is_known(several, "num_workers"));
  EXPECT_EQ(several.value("loader_ops_on_main_thread"), Result(Value::of(false)));
  EXPECT_FALSE(is_known(facts_of(step("")), "loader_ops_on_main_thread"));
}

TEST(TraceFacts, SayWhetherBatchesArePinned) {
  EXPECT_EQ(facts_of(step(copy("Memcpy HtoD (Pageable -> Device)", "4096"))).value("pin_memory"),
            Result(Value::of(false)));
  EXPECT_EQ(facts_of(step(copy("Memcpy HtoD (Pinned -> Device)", "4096"))).value("pin_memory"),
            Result(Value::of(true)));
  EXPECT_FALSE(is_known(facts_of(step(copy("Memcpy HtoD (Pinned -> Device)", "4096") +
                                      copy("Memcpy HtoD (Pageable -> Device)", "16"))),
                        "pin_memory"));
}

TEST(TraceFacts, SayHowWorkIsSpreadOverDevices) {
  EXPECT_FALSE(is_known(facts_of(step("")), "parallel_api"));
  const std::string old = "," + row("user_annotation", "DataParallel.forward", "20", "30");
  EXPECT_EQ(facts_of(step(old)).value("parallel_api"), Result(Value::of("DataParallel")));
  const std::string ddp =
      old + "," + row("user_annotation", "DistributedDataParallel.forward", "120", "30");
  EXPECT_EQ(facts_of(step(ddp)).value("parallel_api"),
            Result(Value::of("DistributedDataParallel")));
}

TEST(TraceFacts, NameTheOperatorsThatReadScalars) {
  EXPECT_FALSE(is_known(facts_of(step("")), "sync_ancestor_ops"));
  const std::string item =
      "," + row("cpu_op", "aten::item", "20", "30") + "," +
      row("cuda_runtime", "cudaMemcpyAsync", "22", "25", R"("correlation": 7)") + "," +
      row("gpu_memcpy",
          "Memcpy DtoH (Device -> Pageable)",
          "30",
          "2",
          R"("correlation": 7, "bytes": 4)");
  EXPECT_EQ(facts_of(step(item)).value("sync_ancestor_ops"),
            Result(Value::of(Value::List{Value::of("aten::item")})));
}

TEST(TraceFacts, KnowTheDeviceByItsRows) {
  EXPECT_EQ(facts_of(step("," + row("kernel", "k", "20", "9"))).value("device"),
            Result(Value::of("cuda")));
  EXPECT_EQ(facts_of(step("," + row("cpu_op", "aten::mm", "20", "9"))).value("device"),
            Result(Value::of("cpu")));
}

TEST(TraceFacts, OfNothingButMemoryRowsAreReasons) {
  const FactTable facts = facts_of(
      R"({"ph": "i", "name": "[memory]", "pid": 1, "tid": 1, "ts": 5, "args": {"Bytes": 4}})");
  EXPECT_EQ(facts.step_count, 0);
  EXPECT_FALSE(is_known(facts, "gpu_busy_ratio"));
  EXPECT_NE(std::get<Unknown>(facts.value("gpu_busy_ratio")).reason, "");
}

}  // namespace
}  // namespace tune::rule
