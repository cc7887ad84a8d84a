#include "trace/metric/host_fills.h"

#include "found.h"
#include "written_timeline.h"

#include <gtest/gtest.h>

namespace tune::metric {
namespace {

using profile::Category;
using table::WrittenTimeline;

TEST(HostFills, AreOfTheThreadThatFeedsTheDeviceWhileThatWaits) {
  WrittenTimeline trace;
  trace.host(Category::user_annotation, "ProfilerStep#1", 0, 1000);
  trace.op("aten::randn", 0, 310);
  trace.op("aten::normal_", 10, 300);
  trace.op("aten::copy_", 320, 20);
  trace.call("cudaMemcpyAsync", 325, 10, 1);
  trace.copy("Memcpy HtoD (Pageable -> Device)", 330, 10, 1, 4096);
  trace.op("aten::fill_", 400, 100);  // of the device
  trace.call("cudaLaunchKernel", 410, 10, 2);
  trace.kernel("fill", 420, 10, 2);
  trace.op("aten::uniform_", 500, 200, "worker");  // a loader's
  trace.kernel("k", 210, 100, -1);
  EXPECT_DOUBLE_EQ(*host_fill_ratio(examine(trace.timeline())).value, 0.2);
}

TEST(HostFills, InTheLoaderAreTheLoaders) {
  WrittenTimeline trace;
  trace.host(Category::user_annotation, "ProfilerStep#1", 0, 1000);
  trace.host(Category::user_annotation,
             "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__",
             0,
             400);
  trace.op("aten::normal_", 10, 300);
  trace.op("aten::copy_", 420, 20);
  trace.call("cudaMemcpyAsync", 425, 10, 1);
  trace.copy("Memcpy HtoD (Pageable -> Device)", 430, 10, 1, 4096);
  EXPECT_DOUBLE_EQ(*host_fill_ratio(examine(trace.timeline())).value, 0);
}

TEST(HostFills, NeedWorkOfADevice) {
  WrittenTimeline trace;
  trace.op("aten::normal_", 0, 10);
  EXPECT_FALSE(host_fill_ratio(examine(trace.timeline())).is_applicable());
}

}  // namespace
}  // namespace tune::metric
