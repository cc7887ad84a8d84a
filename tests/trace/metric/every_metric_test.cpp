// What holds for every metric of every trace.

#include "found.h"
#include "trace/metric/trace_metrics.h"
#include "written_timeline.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <set>

namespace tune::metric {
namespace {

using profile::Category;
using table::WrittenTimeline;

constexpr double kSpanUs = 5000;

class RandomTrace {
 public:
  explicit RandomTrace(unsigned seed) : random_(seed) {}

  WrittenTimeline make() {
    WrittenTimeline trace;
    if (below(4) > 0) {
      const int steps = below(4);
      for (int i = 0; i < steps; ++i) {
        trace.host(Category::user_annotation, "ProfilerStep#" + std::to_string(i), time(), time());
      }
    }
    const int rows = below(60);
    for (int i = 0; i < rows; ++i) {
      add(trace);
    }
    return trace;
  }

 private:
  int below(int limit) { return std::uniform_int_distribution<int>(0, limit - 1)(random_); }
  double time() { return below(8) == 0 ? 0 : below(static_cast<int>(kSpanUs)) * 0.5; }
  std::int64_t correlation() { return below(12) - 1; }
  float ratio() {
    return below(3) == 0 ? std::numeric_limits<float>::quiet_NaN()
                         : static_cast<float>(below(400)) * 0.01F;
  }
  std::string one_of(const std::vector<std::string>& names) {
    return names[static_cast<std::size_t>(below(static_cast<int>(names.size())))];
  }

  void add(WrittenTimeline& trace) {
    switch (below(7)) {
      case 0:
        trace.op(one_of({"aten::mm",
                         "aten::conv2d",
                         "aten::item",
                         "aten::add_",
                         "aten::softmax",
                         "aten::select",
                         "aten::zero_",
                         "aten::to",
                         "aten::batch_norm",
                         "aten::contiguous"}),
                 time(),
                 time());
        break;
      case 1:
        trace.call(one_of({"cudaLaunchKernel",
                           "cudaMemcpyAsync",
                           "cudaMemcpy",
                           "cudaStreamSynchronize",
                           "cudaDeviceSynchronize",
                           "cudaMemset",
                           "cudaFree",
                           "cudaMalloc"}),
                   time(),
                   time(),
                   correlation());
        break;
      case 2:
        trace.kernel(one_of({"k",
                             "hmma",
                             "ampere_sgemm",
                             "nchwToNhwcKernel",
                             "ncclDevKernel_AllReduce",
                             "direct_copy_kernel"}),
                     time(),
                     time(),
                     correlation(),
                     ratio(),
                     ratio());
        break;
      case 3:
        trace.copy(one_of({"Memcpy HtoD (Pageable -> Device)",
                           "Memcpy DtoH (Device -> Pinned)",
                           "Memcpy DtoD (Device -> Device)"}),
                   time(),
                   time(),
                   correlation(),
                   below(3) == 0 ? profile::kUnknownNumber : below(3000));
        break;
      case 4:
        trace.host(Category::user_annotation,
                   one_of({"forward",
                           "backward",
                           "recompute",
                           "Optimizer.step#SGD.step",
                           "Optimizer.zero_grad#SGD.zero_grad",
                           "enumerate(DataLoader)#x.__next__"}),
                   time(),
                   time());
        break;
      case 5:
        trace.host(
            Category::overhead, one_of({"Buffer Flush", "Lazy Function Loading"}), 0, time());
        break;
      default: {
        profile::MemoryEvent& memory = trace.memory(time(), below(4000) - 2000, below(2));
        if (below(3) > 0) {
          memory.total_allocated_bytes = below(10'000);
          memory.total_reserved_bytes = below(20'000);
        }
      }
    }
  }

  std::mt19937 random_;
};

bool may_be_negative(const Metric& metric) {
  return metric.id.starts_with("peak_growth_");
}

// Parts of a whole that cannot be more than it: no sums over threads and streams.
bool is_part(const Metric& metric) {
  static const std::set<std::string> kParts = {"gpu_busy_ratio",
                                               "data_wait_ratio",
                                               "sm_efficiency",
                                               "small_grid_ratio",
                                               "tensor_core_ratio",
                                               "tensor_core_time_ratio",
                                               "eligible_ratio",
                                               "slow_launch_ratio",
                                               "short_kernel_ratio",
                                               "queue_full_ratio",
                                               "idle_host_wait_ratio",
                                               "idle_kernel_wait_ratio",
                                               "idle_other_ratio",
                                               "host_wait_ratio",
                                               "kernel_wait_ratio",
                                               "long_gap_ratio",
                                               "h2d_exposed_ratio",
                                               "d2h_exposed_ratio",
                                               "d2d_exposed_ratio",
                                               "sync_call_ratio",
                                               "idle_after_sync_ratio",
                                               "communication_exposed_ratio",
                                               "communication_overlap_ratio",
                                               "small_message_ratio",
                                               "forward_ratio",
                                               "backward_ratio",
                                               "optimizer_ratio",
                                               "optimizer_exposed_ratio",
                                               "optimizer_device_ratio",
                                               "half_time_ratio",
                                               "bf16_time_ratio",
                                               "zero_grad_ratio",
                                               "uncorrelated_kernel_ratio",
                                               "overhead_ratio",
                                               "gap_host_cover_ratio",
                                               "other_phase_ratio",
                                               "layout_kernel_ratio",
                                               "layout_op_ratio",
                                               "misaligned_gemm_ratio",
                                               "recompute_ratio",
                                               "repeated_backward_ratio",
                                               "growing_cat_ratio",
                                               "recurrent_cell_ratio",
                                               "other_layer_ratio",
                                               "irregular_gap_ratio",
                                               "before_layers_ratio",
                                               "largest_operator_ratio",
                                               "pointwise_ratio",
                                               "parameter_loop_ratio",
                                               "index_gradient_ratio",
                                               "weight_norm_ratio",
                                               "output_head_ratio",
                                               "einsum_ratio",
                                               "einsum_excess_ratio",
                                               "list_conversion_ratio",
                                               "embedding_used_ratio",
                                               "other_layer_device_ratio",
                                               "collective_wait_ratio",
                                               "recompile_ratio",
                                               "embedding_parameter_ratio",
                                               "zero_fill_ratio",
                                               "select_run_ratio",
                                               "long_wait_ratio"};
  const bool is_of_path = metric.id.starts_with("critical_path_") &&
                          metric.id != "critical_path_time" &&
                          metric.id != "critical_path_coverage_ratio";
  return is_of_path || kParts.contains(metric.id) || metric.id.starts_with("partition_") ||
         metric.id.starts_with("saved_without_") || metric.id.starts_with("blocked_by_");
}

void expect_sound(const Metric& metric, unsigned seed) {
  EXPECT_FALSE(metric.unit.empty()) << metric.id;
  EXPECT_FALSE(metric.reason.empty() && !metric.is_applicable()) << metric.id;
  if (!metric.is_applicable()) {
    return;
  }
  EXPECT_TRUE(std::isfinite(*metric.value)) << metric.id << " " << seed;
  EXPECT_TRUE(*metric.value >= 0 || may_be_negative(metric)) << metric.id << " " << seed;
  EXPECT_TRUE(!is_part(metric) || *metric.value <= 1 + 1e-9)
      << metric.id << " " << *metric.value << " " << seed;
  EXPECT_GT(metric.n, 0) << metric.id << " " << seed;
}

TEST(EveryMetric, IsFiniteAndNotMoreThanItsWhole) {
  std::size_t applicable = 0;
  for (unsigned seed = 0; seed < 2000; ++seed) {
    WrittenTimeline trace = RandomTrace(seed).make();
    for (const Metric& metric : trace_metrics(examine(trace.timeline()))) {
      expect_sound(metric, seed);
      applicable += metric.is_applicable() ? 1 : 0;
    }
  }
  EXPECT_GT(applicable, 50'000U);  // or the traces are too poor to test anything
}

TEST(EveryMetric, IsToldOfEveryTraceUnderItsOwnName) {
  WrittenTimeline empty;
  std::set<std::string> ids;
  for (const Metric& metric : trace_metrics(examine(empty.timeline()))) {
    EXPECT_TRUE(ids.insert(metric.id).second) << metric.id;
    EXPECT_FALSE(metric.is_applicable()) << metric.id;
  }
  for (unsigned seed = 0; seed < 50; ++seed) {
    WrittenTimeline trace = RandomTrace(seed).make();
    const auto metrics = trace_metrics(examine(trace.timeline()));
    EXPECT_EQ(metrics.size(), ids.size());
    for (const Metric& metric : metrics) {
      EXPECT_TRUE(ids.contains(metric.id)) << metric.id;
    }
  }
}

}  // namespace
}  // namespace tune::metric
