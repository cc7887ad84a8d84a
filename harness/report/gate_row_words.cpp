#include "report/gate_row_words.h"

#include "gate/metric.h"
#include "report/chart_scale.h"
#include "report/format/stored_text.h"
#include "report/number_text.h"
#include "stats/quantile.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace tune::report {

namespace {

constexpr std::size_t kLeastForNoise = 4;

int rank_of(const std::string& verdict) {
  return verdict == "REGRESSED" ? 0 : verdict == "INCONCLUSIVE" ? 1 : verdict == "IMPROVED" ? 2 : 3;
}

bool is_less_worse(const std::string& name) {
  const gate::Metric* const metric = gate::find_metric(name);
  return metric != nullptr && metric->higher_is_better;
}

double middle_of(std::vector<double> values) {
  return stats::quantile(std::move(values), 0.5);
}

}  // namespace

std::vector<const StoredGateRow*> worst_first(const std::vector<StoredGateRow>& all,
                                              bool measured) {
  std::vector<const StoredGateRow*> rows;
  for (const StoredGateRow& row : all) {
    if (row.is_measured == measured) {
      rows.push_back(&row);
    }
  }
  std::stable_sort(
      rows.begin(), rows.end(), [](const StoredGateRow* one, const StoredGateRow* other) {
        const int a = rank_of(one->verdict), b = rank_of(other->verdict);
        return a != b ? a < b : one->is_measured && worsening(*one) > worsening(*other);
      });
  return rows;
}

double worsening(const StoredGateRow& row) {
  const double change = row.delta.value.value_or(0);
  return is_less_worse(row.metric) ? 1 / (1 + change) - 1 : change;
}

double compared_worsening(double ratio) {
  constexpr double kPerBillion = 1e9;
  return std::round(ratio * kPerBillion);
}

std::optional<double> budget_change(const StoredGateRow& row) {
  if (!row.budget || *row.budget < 0) {
    return std::nullopt;
  }
  return is_less_worse(row.metric) ? 1 / (1 + *row.budget) - 1 : *row.budget;
}

std::string value_words(std::optional<double> value, const std::string& unit) {
  return value ? number_words({.value = value, .unit = unit}) : "not measured";
}

std::string value_words(const StoredRange& range, const std::string& unit) {
  const std::string low = value_words(range.low, unit);
  return range.low == range.high ? low : low + " to " + value_words(range.high, unit);
}

std::string interval_words(const StoredNumber& change) {
  if (!change.lower || !change.upper) {
    return change.reason.empty() ? "none" : "none: " + change.reason;
  }
  campaign::Estimate estimate;
  estimate.value = *change.value;
  estimate.lower = change.lower;
  estimate.upper = change.upper;
  estimate.n = change.n;
  return gain_interval_text(estimate);
}

std::vector<PairChange> changes_of(const std::vector<GatePair>& pairs, const std::string& metric) {
  std::vector<PairChange> changes;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto before = pairs[i].baseline.values.find(metric);
    const auto after = pairs[i].candidate.values.find(metric);
    if (before == pairs[i].baseline.values.end() || after == pairs[i].candidate.values.end() ||
        before->second <= 0) {
      continue;
    }
    const double change = after->second / before->second - 1;
    if (is_drawable(change)) {
      changes.push_back({.pair = static_cast<std::int64_t>(i) + 1,
                         .change = change,
                         .baseline_first = pairs[i].baseline_first});
    }
  }
  return changes;
}

std::optional<double> noise_of(const std::vector<PairChange>& changes) {
  if (changes.size() < kLeastForNoise) {
    return std::nullopt;
  }
  std::vector<double> values;
  values.reserve(changes.size());
  for (const PairChange& pair : changes) {
    values.push_back(pair.change);
  }
  const double middle = middle_of(values);
  for (double& value : values) {
    value = std::fabs(value - middle);
  }
  return middle_of(std::move(values));
}

}  // namespace tune::report
