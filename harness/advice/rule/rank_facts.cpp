#include "advice/rule/rank_facts.h"

#include "base/stats/quantile.h"
#include "trace/rank/match_collectives.h"
#include "trace/role.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace tune::rule {

namespace {

using expression::Result;
using expression::Unknown;
using expression::Value;
using rank::Lateness;
using rank::RankSummary;

/// What the ranks did to each other.
struct RankTimes {
  rank::MatchedCollectives matched;
  std::vector<Lateness> lateness;
  std::vector<double> own_seconds;  ///< per step, by rank
};

double own_seconds(const RankSummary& summary, const Lateness& lateness) {
  const std::int64_t exposed_ns = summary.exposed(profile::Role::communication);
  const std::int64_t own_ns = summary.total_ns - std::min(lateness.wait_ns, exposed_ns);
  return static_cast<double>(own_ns) * 1e-9 / static_cast<double>(summary.steps);
}

RankTimes times_of(const std::vector<RankSummary>& ranks) {
  RankTimes times{.matched = rank::match_collectives(ranks)};
  times.lateness = rank::lateness_of(ranks, times.matched);
  times.own_seconds.reserve(ranks.size());
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    times.own_seconds.push_back(ranks[i].steps > 0 ? own_seconds(ranks[i], times.lateness[i]) : 0);
  }
  return times;
}

Result z_score(const std::vector<double>& seconds, double median, double most) {
  constexpr double kOfNormal = 0.6745;  // the deviation of normal values ÷ their standard deviation
  std::vector<double> deviations(seconds.size());
  std::transform(seconds.begin(), seconds.end(), deviations.begin(), [median](double value) {
    return std::abs(value - median);
  });
  const double deviation = stats::median(std::move(deviations));
  if (deviation <= 0) {
    return Unknown{"most ranks take equally long"};
  }
  return Value::of(kOfNormal * (most - median) / deviation);
}

Result last_rank(const std::vector<RankSummary>& ranks, const RankTimes& times) {
  const auto last = rank::find_straggler(times.lateness, times.matched);
  if (!last) {
    return Unknown{!times.matched.reason.empty()            ? times.matched.reason
                   : !times.matched.no_order_reason.empty() ? times.matched.no_order_reason
                                                            : "no rank waits for another"};
  }
  if (!ranks[*last].rank.rank) {
    return Unknown{ranks[*last].file + " does not say which rank it is of"};
  }
  return Value::of(static_cast<double>(*ranks[*last].rank.rank));
}

// The ranks that take longest, as rows: what each of them does itself in a step.
std::vector<Example> slowest_ranks(const std::vector<RankSummary>& ranks, const RankTimes& times) {
  constexpr std::size_t kMost = 3;
  constexpr double kNsPerSecond = 1e9;
  std::vector<Example> examples;
  examples.reserve(ranks.size());
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    examples.push_back({rank::rank_text(ranks[i]) + ", a step without its waits",
                        ranks[i].begin_ns,
                        std::llround(times.own_seconds[i] * kNsPerSecond)});
  }
  std::stable_sort(examples.begin(), examples.end(), [](const Example& a, const Example& b) {
    return a.duration_ns > b.duration_ns;
  });
  examples.resize(std::min(examples.size(), kMost));
  return examples;
}

std::string why_no_times(const std::vector<RankSummary>& ranks) {
  if (ranks.size() < 2) {
    return "one trace alone is not a job of several ranks";
  }
  const auto without = std::find_if(ranks.begin(), ranks.end(), [](const RankSummary& summary) {
    return summary.steps <= 0 || summary.total_ns <= 0;
  });
  return without == ranks.end() ? "" : without->file + " has no row with a duration";
}

}  // namespace

void add_rank_facts(const std::vector<RankSummary>& ranks, FactTable& facts) {
  const std::string source = "traces of " + std::to_string(ranks.size()) + " ranks";
  const auto set = [&](const char* name, Result result) {
    facts.set(name, {.result = std::move(result), .source = source, .window = "profile"});
  };
  if (const std::string why = why_no_times(ranks); !why.empty()) {
    for (const char* const name : {"rank_count",
                                   "rank_step_time_max",
                                   "rank_step_time_min",
                                   "rank_step_time_median",
                                   "straggler_z",
                                   "last_rank"}) {
      set(name, Unknown{why});
    }
    return;
  }
  constexpr expression::Dimension kTime{.time = 1};
  const RankTimes times = times_of(ranks);
  const auto [least, most] =
      std::minmax_element(times.own_seconds.begin(), times.own_seconds.end());
  const double median = stats::median(times.own_seconds);
  set("rank_count", Value::of(static_cast<double>(ranks.size())));
  facts.set("rank_step_time_max",
            {.result = Value::of(*most, kTime),
             .source = source,
             .window = "profile",
             .examples = slowest_ranks(ranks, times)});
  set("rank_step_time_min", Value::of(*least, kTime));
  set("rank_step_time_median", Value::of(median, kTime));
  set("straggler_z", z_score(times.own_seconds, median, *most));
  set("last_rank", last_rank(ranks, times));
}

std::size_t pacing_rank(const std::vector<RankSummary>& ranks) {
  const RankTimes times = times_of(ranks);
  if (const auto last = rank::find_straggler(times.lateness, times.matched)) {
    return *last;
  }
  const auto most = std::max_element(times.own_seconds.begin(), times.own_seconds.end());
  return static_cast<std::size_t>(most - times.own_seconds.begin());
}

}  // namespace tune::rule
