#include "trace/metric/parameters.h"

#include "found.h"
#include "written_timeline.h"

#include <gtest/gtest.h>

namespace tune::metric {
namespace {

using profile::Category;
using table::WrittenTimeline;

void gradient(WrittenTimeline& trace, double start_us, const char* dims, const char* types) {
  profile::Event& event = trace.op("torch::autograd::AccumulateGrad", start_us, 5);
  const profile::StringId dims_id = trace.text(dims);
  const profile::StringId types_id = trace.text(types);
  profile::OpDetail& detail = trace.detail(event);
  detail.input_dims = dims_id;
  detail.input_types = types_id;
}

TEST(Parameters, AreWhereGradientsAreStored) {
  WrittenTimeline trace;
  trace.host(Category::user_annotation, "ProfilerStep#1", 0, 1000);
  trace.host(Category::user_annotation, "ProfilerStep#2", 1000, 1000);
  gradient(trace, 10, "[[10,20]]", R"(["float"])");
  gradient(trace, 20, "[[10]]", R"(["c10::BFloat16"])");
  gradient(trace, 1010, "[[10,20]]", R"(["float"])");  // the second step was cut
  const auto metrics = parameter_metrics(examine(trace.timeline()));
  EXPECT_EQ(value(metrics, "parameter_count"), 2);
  EXPECT_EQ(value(metrics, "parameter_bytes"), 820);
}

TEST(Parameters, HaveNoSizeWhereNoneWasRecorded) {
  WrittenTimeline trace;
  trace.op("torch::autograd::AccumulateGrad", 0, 5);
  const auto metrics = parameter_metrics(examine(trace.timeline()));
  EXPECT_EQ(value(metrics, "parameter_count"), 1);
  EXPECT_NE(reason(metrics, "parameter_bytes"), "");
}

TEST(Parameters, AreNotKnownWithoutABackwardPass) {
  WrittenTimeline trace;
  trace.op("aten::mm", 0, 5);
  EXPECT_NE(reason(parameter_metrics(examine(trace.timeline())), "parameter_count"), "");
}

}  // namespace
}  // namespace tune::metric
