#include "measure/campaign/regression_facts.h"

#include "base/stats/quantile.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace tune::campaign {

void add_history_facts(const std::optional<history::Series>& series, rule::FactTable& facts) {
  using expression::Result;
  using expression::Unknown;
  using expression::Value;
  const auto set = [&](const char* name, Result found) {
    facts.set(name, {.result = std::move(found), .source = "history", .window = "measure"});
  };
  std::vector<double> before;
  double now = 0;
  if (series && !series->points.empty()) {
    for (const history::Point& point : series->points) {
      before.push_back(point.value);
    }
    now = before.back();
    before.pop_back();
  }
  if (before.empty() || !(now > 0)) {
    const Unknown none{"no earlier run that compares with this one is in the history"};
    for (const char* const name : {"slowdown_ratio", "history_run_count", "history_spread_ratio"}) {
      set(name, none);
    }
    return;
  }
  set("history_run_count", Value::of(static_cast<double>(before.size())));
  const double slowest = *std::min_element(before.begin(), before.end());
  const double middle = stats::median(std::move(before));
  set("slowdown_ratio", Value::of(middle / now - 1));
  set("history_spread_ratio",
      slowest > 0 ? Result(Value::of(middle / slowest - 1))
                  : Result(Unknown{"an earlier run has no rate"}));
}

}  // namespace tune::campaign
