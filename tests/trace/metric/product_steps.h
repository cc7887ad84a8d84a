#pragma once

// One step, with operators that say what they multiply.

#include "trace/metric/trace_input.h"
#include "written_timeline.h"

#include <gtest/gtest.h>

#include <string>

namespace tune::metric {

using profile::Category;
using table::WrittenTimeline;

class Steps : public ::testing::Test {
 protected:
  Steps() { trace.host(Category::user_annotation, "ProfilerStep#1", 0, 1000); }

  void op(const std::string& name,
          double start_us,
          double duration_us,
          const std::string& dims,
          const std::string& types = "") {
    profile::Event& event = trace.op(name, start_us, duration_us);
    const profile::StringId dims_id = trace.text(dims);
    const profile::StringId types_id = trace.text(types);
    profile::OpDetail& detail = trace.detail(event);
    detail.input_dims = dims_id;
    detail.input_types = types_id;
  }
  // An operator of 10 us with a kernel of its own.
  void product(const std::string& name,
               const std::string& kernel,
               double duration_us,
               const std::string& dims,
               const std::string& types) {
    op(name, at_us_, 10, dims, types);
    trace.call("cudaLaunchKernel", at_us_ + 2, 5, ++correlation_);
    trace.kernel(kernel, at_us_ + 20, duration_us, correlation_);
    at_us_ += 200;
  }
  TraceInput input() { return examine(trace.timeline()); }

  WrittenTimeline trace;

 private:
  double at_us_ = 0;
  std::int64_t correlation_ = 0;
};

inline constexpr const char* kHalf = R"(["c10::Half","c10::Half"])";
inline constexpr const char* kFloat = R"(["float","float"])";
inline constexpr const char* kBf16 = R"(["c10::BFloat16","c10::BFloat16"])";

}  // namespace tune::metric
