#include "trace/metric/growing_tensors.h"

#include "found.h"
#include "trace_text.h"

#include <gtest/gtest.h>

#include <string>

namespace tune::metric {
namespace {

using profile::read_events;
using profile::row;

// Calls of aten::cat in one step of 1 ms, 10 us each.
class Calls {
 public:
  Calls& cat(const std::string& tensors, const std::string& concrete = "") {
    std::string args = R"("Input Dims": [)" + tensors + ", []]";
    args += concrete.empty() ? "" : R"(, "Concrete Inputs": ["", ")" + concrete + R"("])";
    text_ += "," + row("cpu_op", "aten::cat", std::to_string(now_us_), "10", args);
    now_us_ += 10;
    return *this;
  }
  std::vector<Metric> metrics() const {
    const profile::Timeline timeline = read_events(text_);
    return growing_tensors(examine(timeline));
  }

 private:
  std::string text_ = row("user_annotation", "ProfilerStep#1", "0", "1000");
  int now_us_ = 0;
};

std::string grown(int rows) {
  return "[[" + std::to_string(rows) + ", 8], [1, 8]]";
}

TEST(GrowingTensors, CountFromTheTenthCallOn) {
  Calls calls;
  for (int rows = 1; rows <= 29; ++rows) {
    calls.cat(grown(rows));
  }
  EXPECT_DOUBLE_EQ(value(calls.metrics(), "growing_cat_count"), 20);
  EXPECT_DOUBLE_EQ(value(calls.metrics(), "growing_cat_ratio"), 0.2);
}

TEST(GrowingTensors, MayGrowAtTheFrontAndSeveralAtOnce) {
  Calls calls;
  for (int rows = 1; rows <= 12; ++rows) {
    calls.cat("[[4, 1], [4, " + std::to_string(rows) + "]]", "-1");  // keys, at the front
    calls.cat("[[4, 1], [4, " + std::to_string(rows) + "]]", "-1");
  }
  EXPECT_GE(value(calls.metrics(), "growing_cat_count"), 6);
}

TEST(GrowingTensors, StartAgainInEachLoop) {
  Calls calls;
  for (int loop = 0; loop < 8; ++loop) {
    for (int rows = 1; rows <= 9; ++rows) {
      calls.cat(grown(rows));
    }
  }
  EXPECT_DOUBLE_EQ(value(calls.metrics(), "growing_cat_count"), 0);
}

TEST(GrowingTensors, AreNotTheSameCatManyTimes) {
  Calls calls;
  for (int call = 0; call < 30; ++call) {
    calls.cat("[[32, 8], [32, 8], [32, 8]]", "1");
  }
  EXPECT_DOUBLE_EQ(value(calls.metrics(), "growing_cat_count"), 0);
}

TEST(GrowingTensors, NeedSizes) {
  Calls none;
  EXPECT_EQ(reason(none.metrics(), "growing_cat_ratio"),
            "no aten::cat says the sizes of its tensors");
  Calls lists;  // as older profilers write a list of tensors
  EXPECT_FALSE(lists.cat("[]").metrics()[0].is_applicable());
  Calls strange;
  strange.cat("[[4, 8], [4, 8, 2]]").cat("[[], [4]]").cat("[[-1, 9], [3, 9]]");
  for (const Metric& metric : strange.metrics()) {
    EXPECT_EQ(metric.value.value_or(0), 0);
  }
}

}  // namespace
}  // namespace tune::metric
