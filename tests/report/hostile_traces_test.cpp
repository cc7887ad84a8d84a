// What `tune analyze` does with a trace costs in proportion to its size, in whatever way it is
// large.

#include "hostile_traces.h"

#include "advice/rule/trace_facts.h"
#include "base/clock.h"
#include "report/diff_report.h"
#include "report/ranks_report.h"
#include "report/trace_json.h"
#include "report/trace_pages.h"
#include "trace/critical_path.h"
#include "trace/metric/trace_metrics.h"
#include "trace/rank/rank_summary.h"
#include "trace/table/diff_tables.h"
#include "trace/table/folded_stacks.h"
#include "trace/table/operator_table.h"
#include "trace/table/tables.h"
#include "trace_text.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace tune::profile {

void PrintTo(const HostileShape& shape, std::ostream* out) {
  *out << shape.name;
}

}  // namespace tune::profile

namespace tune::report {
namespace {

using profile::HostileShape;

profile::Timeline read(const std::string& json) {
  constexpr std::size_t kAtOnce = std::size_t{64} * 1024;
  return profile::read_trace(std::make_unique<profile::MemorySource>(json, kAtOnce),
                             "test.json",
                             {.with_python = true, .with_call_stacks = true});
}

void compare(const metric::TraceInput& input) {
  const table::TraceSide side = table::take_side(metric::table_input(input));
  diff_json(side, side, compare_sides(side, side)).dump();
  std::vector<rank::RankSummary> ranks;
  ranks.push_back(rank::summarise_rank(input));
  ranks.push_back(rank::summarise_rank(input));
  ranks.back().rank.rank = 1;
  ranks_json(ranks, compare_ranks(ranks, {}), {}).dump();
}

// All that the command does with one trace, and what its flags ask for beside.
void analyse(const std::string& json) {
  const profile::Timeline timeline = read(json);
  const metric::TraceInput input = metric::examine(timeline);
  const table::TableInput nested = metric::table_input(input);
  const TraceAnalysis analysis{.input = input,
                               .metrics = metric::trace_metrics(input),
                               .tables = table::all_tables(nested),
                               .what_if = {{.part = profile::PathPart::kernel, .name = "gemm"}}};
  rule::facts_of_trace(input, analysis.metrics);
  to_trace_json(analysis);
  to_trace_markdown(analysis);
  to_trace_html(analysis);
  using Kind = table::GroupBy::Kind;
  for (const table::GroupBy& by : std::vector<table::GroupBy>{
           {.kind = Kind::shape}, {.kind = Kind::stack, .frames = 5}, {.kind = Kind::module}}) {
    table::operator_table(nested, by);
  }
  table::folded_host_stacks(nested);
  table::folded_device_stacks(nested);
  compare(input);
}

// CPU time of this thread: other programs on the machine do not count.
std::int64_t cost_ns(const HostileShape& shape, std::int64_t rows) {
  const std::string json = profile::hostile_json(shape, rows);
  const std::int64_t begin_ns = thread_cpu_ns();
  analyse(json);
  return thread_cpu_ns() - begin_ns;
}

class HostileTraces : public testing::TestWithParam<HostileShape> {};

// Sixteen times as many rows may cost 16 times as much, and for sorting and caches several times
// that; work for each row over all others costs 256 times as much.
TEST_P(HostileTraces, CostInProportionToTheirRows) {
  constexpr std::int64_t kRows = 4'000, kTimes = 16, kMost = 5 * kTimes;
  const std::int64_t few_ns = std::min(cost_ns(GetParam(), kRows), cost_ns(GetParam(), kRows));
  EXPECT_LT(cost_ns(GetParam(), kTimes * kRows), kMost * few_ns);
}

INSTANTIATE_TEST_SUITE_P(Each,
                         HostileTraces,
                         testing::ValuesIn(profile::hostile_shapes()),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace tune::report
