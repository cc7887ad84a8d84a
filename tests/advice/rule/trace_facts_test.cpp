#include "advice/rule/trace_facts.h"

#include "trace/metric/trace_metrics.h"
#include "trace_text.h"

#include <gtest/gtest.h>

namespace tune::rule {
namespace {

using expression::Result;
using expression::Unknown;
using expression::Value;
using profile::row;

FactTable facts_of(const std::string& events, const std::string& head = "") {
  const profile::Timeline timeline =
      profile::read_text("{" + head + R"("traceEvents": [)" + events + "]}");
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

TEST(TraceFacts, NameTheModuleOfTheDevice) {
  const std::string call = "," + row("cuda_runtime", "urEnqueueKernelLaunch", "20", "5");
  EXPECT_EQ(facts_of(step(call)).device_module, "xpu");
  EXPECT_EQ(facts_of(step("," + row("cuda_runtime", "hipLaunchKernel", "20", "5"))).device_module,
            "cuda");
  EXPECT_EQ(facts_of(step("")).device_module, "cuda");
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

std::string backend(const std::string& name, const std::string& kernel = "gemm", int ranks = 2) {
  const FactTable facts =
      facts_of(step("," + row("kernel", kernel, "20", "9")),
               R"("distributedInfo": {"backend": ")" + name + R"(", "rank": 0, "world_size": )" +
                   std::to_string(ranks) + "},");
  const Result result = facts.value("backend");
  const auto* const value = std::get_if<Value>(&result);
  return value == nullptr ? "unknown" : std::get<std::string>(value->data);
}

TEST(TraceFacts, KnowTheBackendOfTheDevices) {
  EXPECT_EQ(backend("nccl"), "nccl");
  EXPECT_EQ(backend("cpu:gloo,cuda:nccl"), "nccl");
  EXPECT_EQ(backend("cuda:nccl,cpu:gloo"), "nccl");
  EXPECT_EQ(backend("gloo"), "gloo");
  EXPECT_EQ(backend("undefined"), "unknown");  // made on first use, whatever it is
  EXPECT_EQ(backend("undefined", "ncclDevKernel_AllReduce_Sum_f32_RING_LL"), "nccl");
  EXPECT_EQ(backend("gloo", "gemm", 1), "unknown");  // one process alone
}

TEST(TraceFacts, KnowVersionsByTheirHead) {
  const FactTable facts =
      facts_of(step(""), R"("cuda_runtime_version": 12040, "cuda_driver_version": 12020,)");
  EXPECT_EQ(facts.value("cuda_version"), Result(Value::of(12040.0)));
  EXPECT_EQ(facts.value("driver_cuda_version"), Result(Value::of(12020.0)));
}

// In each of the two steps.
std::string optimizer(const std::string& name, int calls) {
  std::string rows;
  for (const int start : {0, 100}) {
    rows +=
        "," + row("user_annotation", "Optimizer.step#SGD.step", std::to_string(start + 10), "80");
    for (int i = 0; i < calls; ++i) {
      rows += "," + row("cpu_op", name, std::to_string(start + 12 + 5 * i), "2");
    }
  }
  return rows;
}

TEST(TraceFacts, SayWhetherTheOptimizerLoops) {
  EXPECT_EQ(facts_of(step(optimizer("aten::add_", 10))).value("optimizer_impl"),
            Result(Value::of("loop")));
  EXPECT_EQ(facts_of(step(optimizer("aten::_foreach_add_", 2))).value("optimizer_impl"),
            Result(Value::of("foreach")));
  EXPECT_EQ(facts_of(step(optimizer("aten::_fused_sgd_", 1))).value("optimizer_impl"),
            Result(Value::of("fused")));
  EXPECT_FALSE(is_known(facts_of(step(optimizer("aten::add_", 1))), "optimizer_impl"));
}

TEST(TraceFacts, NameTheClassOfTheOptimizerWhereThereIsOne) {
  const auto named = [](const std::string& name) {
    return "," + row("user_annotation", "Optimizer.step#" + name + ".step", "10", "80");
  };
  EXPECT_EQ(facts_of(step(named("SGD"))).value("optimizer_class"), Result(Value::of("SGD")));
  EXPECT_EQ(facts_of(step(named("AdamW") + named("AdamW"))).value("optimizer_class"),
            Result(Value::of("AdamW")));
  for (const std::string& rows : {std::string(), named("SGD") + named("Adam"), named("a b; c")}) {
    EXPECT_FALSE(is_known(facts_of(step(rows)), "optimizer_class")) << rows;
  }
}

std::string convolution(const std::string& strides, const std::string& type) {
  return "," +
         row("cpu_op",
             "aten::mkldnn_convolution",
             "20",
             "50",
             R"("Input Dims": [[8, 16, 10, 10], [4, 16, 3, 3]], "Input Strides": [)" + strides +
                 R"(, [144, 9, 3, 1]], "Input type": [")" + type + R"(", ")" + type + R"("])");
}

TEST(TraceFacts, KnowLayoutAndPrecisionOfConvolutions) {
  const FactTable contiguous = facts_of(step(convolution("[1600, 100, 10, 1]", "float")));
  EXPECT_EQ(contiguous.value("channels_last"), Result(Value::of(false)));
  EXPECT_EQ(contiguous.value("amp"), Result(Value::of("none")));
  const FactTable last = facts_of(step(convolution("[1600, 1, 160, 16]", "c10::BFloat16")));
  EXPECT_EQ(last.value("channels_last"), Result(Value::of(true)));
  EXPECT_EQ(last.value("amp"), Result(Value::of("bf16")));
  const FactTable without =
      facts_of(step("," + row("cpu_op", "aten::mkldnn_convolution", "20", "50")));
  EXPECT_FALSE(is_known(without, "channels_last"));
  EXPECT_FALSE(is_known(without, "amp"));
}

std::string float_product(const std::string& kernel, const std::string& at) {
  return "," +
         row("cpu_op",
             "aten::mm",
             at,
             "10",
             R"("Input Dims": [[8, 8], [8, 8]], "Input type": ["float", "float"])") +
         "," + row("cuda_runtime", "cudaLaunchKernel", at, "5", "\"correlation\": " + at) + "," +
         row("kernel", kernel, at, "9", "\"correlation\": " + at);
}

TEST(TraceFacts, SayThatTf32IsAllowedWhereAProductUsesIt) {
  const std::string small = float_product("ampere_sgemm_32x32_tn", "20");
  EXPECT_FALSE(is_known(facts_of(step(small)), "allow_tf32"));
  const std::string large = float_product("sm80_xmma_gemm_f32f32_tf32f32_f32_tn_n", "40");
  EXPECT_EQ(facts_of(step(small + large)).value("allow_tf32"), Result(Value::of(true)));
}

TEST(TraceFacts, ShowWhoSynchronises) {
  const std::string item = "," + row("cpu_op", "aten::nonzero", "20", "30") + "," +
                           row("cuda_runtime", "cudaStreamSynchronize", "22", "25") + "," +
                           row("kernel", "k", "20", "9");
  const FactTable facts = facts_of(step(item));
  const Fact& fact = *facts.find("sync_call_ratio");
  ASSERT_EQ(fact.examples.size(), 1U);
  EXPECT_EQ(fact.examples[0].name, "aten::nonzero: cudaStreamSynchronize");
  EXPECT_EQ(fact.examples[0].duration_ns, 25'000);
}

TEST(TraceFacts, ShowWhatMissesTheTensorCores) {
  const std::string product =
      "," +
      row("cpu_op",
          "aten::mm",
          "20",
          "30",
          R"("Input Dims": [[64, 1001], [1001, 8]], "Input type": ["c10::Half", "c10::Half"])") +
      "," + row("cuda_runtime", "cudaLaunchKernel", "22", "5", R"("correlation": 7)") + "," +
      row("kernel", "gemm", "30", "9", R"("correlation": 7)");
  const FactTable facts = facts_of(step(product));
  EXPECT_EQ(facts.value("input_dims"), Result(Value::of("[64,1001] x [1001,8]")));
  EXPECT_EQ(facts.find("misaligned_gemm_ratio")->examples[0].name, "aten::mm: gemm");
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
  EXPECT_FALSE(
      is_known(facts_of(step("," + row("cpu_op", "nccl:all_to_all", "20", "9"))), "device"));
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
