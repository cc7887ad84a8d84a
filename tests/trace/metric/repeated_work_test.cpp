#include "trace/metric/repeated_work.h"

#include "found.h"
#include "written_timeline.h"

#include <gtest/gtest.h>

namespace tune::metric {
namespace {

using profile::Category;
using table::WrittenTimeline;

TEST(AnomalyChecks, AreSearchesWithinTheBackwardPass) {
  WrittenTimeline trace;
  trace.host(Category::user_annotation, "ProfilerStep#1", 0, 1000);
  trace.op("autograd::engine::evaluate_function: MmBackward0", 100, 300);
  trace.op("aten::isnan", 200, 50);
  trace.op("aten::ne", 210, 20);
  trace.op("aten::_is_any_true", 250, 50);
  trace.op("aten::item", 300, 100);
  trace.op("aten::isnan", 500, 100);  // the script's own
  const auto metrics = repeated_work(examine(trace.timeline()));
  EXPECT_DOUBLE_EQ(value(metrics, "anomaly_check_count"), 1);
  EXPECT_DOUBLE_EQ(value(metrics, "anomaly_check_ratio"), 0.2);
}

TEST(CacheReleases, AreFreesOutsideOfOperators) {
  WrittenTimeline trace;
  trace.host(Category::user_annotation, "ProfilerStep#1", 0, 1000);
  trace.op("aten::empty", 0, 100);
  trace.call("cudaFree", 10, 20, -1);
  trace.call("cudaMalloc", 40, 50, -1);
  trace.call("cudaFree", 300, 100, -1);
  trace.call("cudaFree", 400, 100, -1);
  trace.kernel("k", 350, 50, -1);
  const auto metrics = repeated_work(examine(trace.timeline()));
  EXPECT_DOUBLE_EQ(value(metrics, "cache_release_count"), 2);
  EXPECT_DOUBLE_EQ(value(metrics, "cache_release_ratio"), 0.2);
}

TEST(CacheReleases, AreNoneWhereNothingIsKept) {
  WrittenTimeline trace;
  trace.host(Category::user_annotation, "ProfilerStep#1", 0, 1000);
  for (int i = 0; i < 4; ++i) {
    trace.op("aten::add", 100 * i, 50);
    trace.call("hipMalloc", 100 * i + 5, 5, -1);
    trace.call("hipFree", 100 * i + 20, 20, -1);
  }
  trace.call("hipFree", 600, 20, -1);
  const auto metrics = repeated_work(examine(trace.timeline()));
  EXPECT_DOUBLE_EQ(value(metrics, "cache_release_count"), 0);
  EXPECT_DOUBLE_EQ(value(metrics, "cache_release_ratio"), 0);
}

TEST(ReducedMicroBatches, AreForwardPassesWithAReductionForEachUpdate) {
  WrittenTimeline trace;
  trace.host(Category::user_annotation, "ProfilerStep#1", 0, 1000);
  for (int i = 0; i < 4; ++i) {
    trace.host(Category::user_annotation, "DistributedDataParallel.forward", 100 * i, 20);
    if (i > 0) {
      trace.host(Category::user_annotation, "nccl:all_reduce", 100 * i + 40, 10);
      trace.host(Category::user_annotation, "nccl:all_reduce", 100 * i + 60, 10);
    }
  }
  trace.host(Category::user_annotation, "Optimizer.step#SGD.step", 500, 20);
  EXPECT_DOUBLE_EQ(value(repeated_work(examine(trace.timeline())), "reduced_micro_batch_count"), 3);
}

TEST(Collections, AreFramesOfPythonsCollector) {
  WrittenTimeline trace;
  trace.host(Category::user_annotation, "ProfilerStep#1", 0, 1000);
  trace.host(Category::python_function, "train.py(12): main", 0, 1000);
  trace.host(Category::python_function, "<built-in function collect>", 100, 200);
  trace.host(Category::python_function, "Python GC", 110, 180);
  trace.host(Category::python_function, "Python GC", 600, 100);
  trace.kernel("k", 650, 50, -1);
  const auto metrics = repeated_work(examine(trace.timeline()));
  EXPECT_DOUBLE_EQ(value(metrics, "forced_collection_count"), 1);
  EXPECT_DOUBLE_EQ(value(metrics, "collector_ratio"), 0.25);
}

TEST(Collections, AreUnknownWithoutFrames) {
  WrittenTimeline trace;
  trace.host(Category::user_annotation, "ProfilerStep#1", 0, 1000);
  EXPECT_EQ(reason(repeated_work(examine(trace.timeline())), "forced_collection_count"),
            "Python's frames were not recorded (with_stack)");
  trace.host(Category::python_function, "train.py(12): main", 0, 1000);
  const auto metrics = repeated_work(examine(trace.timeline()));
  EXPECT_DOUBLE_EQ(value(metrics, "forced_collection_count"), 0);
  EXPECT_EQ(reason(metrics, "collector_ratio"),
            "Python's collector was not recorded (record_python_gc_info)");
}

}  // namespace
}  // namespace tune::metric
