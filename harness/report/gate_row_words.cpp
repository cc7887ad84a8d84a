#include "report/gate_row_words.h"

#include "base/stats/quantile.h"
#include "measure/gate/policy.h"
#include "report/chart_scale.h"
#include "report/format/stored_text.h"
#include "report/number_text.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <tuple>
#include <utility>

namespace tune::report {

namespace {

// How bad a verdict is: 0 of REGRESSED, then INCONCLUSIVE, IMPROVED, PASS.
int rank_of_verdict(const std::string& verdict) {
  return verdict == "REGRESSED" ? 0 : verdict == "INCONCLUSIVE" ? 1 : verdict == "IMPROVED" ? 2 : 3;
}

constexpr std::size_t kLeastForNoise = 4;

// A rate, where the metric is not known here.
bool is_less_worse(const std::string& name, const std::string& unit) {
  const gate::Metric* const metric = gate::find_metric(name);
  return metric == nullptr ? unit.ends_with("/s") : metric->higher_is_better;
}

// As rows are put in order by it: a rate and the time of the same steps, whose changes are
// reciprocal but for the last bits, are equally bad.
double rounded(double worse) {
  constexpr double kPerBillion = 1e9;
  return std::round(worse * kPerBillion);
}

// A count that appears has no ratio to none.
double order_of(const result::GateRow& row) {
  if (row.is_measured) {
    return rounded(worsening(row));
  }
  return rounded(std::log(std::max(row.candidate.low.value_or(1), 1.0) /
                          std::max(row.baseline.high.value_or(1), 1.0)));
}

int rank_in_table(const result::GateRow& row) {
  constexpr int kNotGated = 4;  // behind all that is
  return row.is_gated ? rank_of_verdict(row.verdict) : kNotGated;
}

std::vector<std::string> cells_of(const result::GateRow& row) {
  constexpr std::size_t kLongestMetric = 400;
  std::string metric = shortened(row.metric, kLongestMetric);
  if (row.is_measured) {
    return {std::move(metric),
            value_words(row.baseline.low, row.unit),
            value_words(row.candidate.low, row.unit),
            change_words(row),
            share_or(row.budget, ""),
            share_or(row.mde, ""),
            std::to_string(row.pairs),
            row.verdict};
  }
  return {std::move(metric),
          value_words(row.baseline, row.unit),
          value_words(row.candidate, row.unit),
          counted_change(row.baseline, row.candidate),
          row.is_gated ? share_or(row.budget, "") : "",
          "",
          "",
          row.is_gated            ? row.verdict
          : row.verdict == "PASS" ? "equal"
                                  : "differs"};
}

double middle_of(std::vector<double> values) {
  return stats::quantile(std::move(values), 0.5);
}

}  // namespace

std::vector<const result::GateRow*> worst_first(const std::vector<result::GateRow>& all,
                                                bool measured) {
  std::vector<const result::GateRow*> rows;
  for (const result::GateRow& row : all) {
    if (row.is_measured == measured) {
      rows.push_back(&row);
    }
  }
  std::stable_sort(
      rows.begin(), rows.end(), [](const result::GateRow* one, const result::GateRow* other) {
        const int a = rank_of_verdict(one->verdict), b = rank_of_verdict(other->verdict);
        return a != b ? a < b : one->is_measured && worsening(*one) > worsening(*other);
      });
  return rows;
}

const result::GateRow* deciding_row(const std::vector<result::GateRow>& rows,
                                    const std::string& verdict) {
  const auto measured = worst_first(rows, true);
  if (measured.empty() || measured.front()->verdict != verdict) {
    return nullptr;
  }
  const auto first =
      std::find_if(rows.begin(), rows.end(), [](const auto& row) { return row.is_measured; });
  return verdict == "PASS" ? &*first : measured.front();
}

Table table_of_rows(const std::vector<result::GateRow>& all) {
  std::vector<const result::GateRow*> rows;
  rows.reserve(all.size());
  for (const result::GateRow& row : all) {
    rows.push_back(&row);
  }
  std::stable_sort(rows.begin(), rows.end(), [](const auto* a, const auto* b) {
    return std::tuple(rank_in_table(*a), !a->is_measured, -order_of(*a)) <
           std::tuple(rank_in_table(*b), !b->is_measured, -order_of(*b));
  });
  constexpr auto kRight = Table::Align::right;
  Table table{.columns = {{"metric"},
                          {"baseline", kRight},
                          {"candidate", kRight},
                          {"change", kRight},
                          {"budget", kRight},
                          {"detectable", kRight},
                          {"pairs", kRight},
                          {"verdict"}}};
  for (const result::GateRow* row : rows) {
    table.rows.push_back(cells_of(*row));
  }
  return table;
}

void add_folding(Table table, Renderings where, Section& section) {
  constexpr std::size_t kShown = 20;
  Table rest{.columns = table.columns};
  if (table.rows.size() > kShown) {
    const auto first = table.rows.begin() + static_cast<std::ptrdiff_t>(kShown);
    rest.rows.assign(first, table.rows.end());
    table.rows.erase(first, table.rows.end());
  }
  section.add(std::move(table), where);
  if (!rest.rows.empty()) {
    const std::string summary = std::to_string(rest.rows.size()) + " more rows";
    section.add(Folded{summary, {{std::move(rest)}}}, where);
  }
}

bool is_amount(const result::GateRow& row) {
  return row.unit == "B" || row.unit == "instructions";
}

double worsening(const result::GateRow& row) {
  const double change = row.delta.value.value_or(0);
  return is_less_worse(row.metric, row.unit) ? 1 / (1 + change) - 1 : change;
}

double change_of(const std::string& metric, const std::string& unit, double log_worse) {
  return std::expm1(is_less_worse(metric, unit) ? -log_worse : log_worse);
}

std::optional<double> budget_change(const result::GateRow& row) {
  if (!row.budget || *row.budget < 0) {
    return std::nullopt;
  }
  return is_less_worse(row.metric, row.unit) ? 1 / (1 + *row.budget) - 1 : *row.budget;
}

std::string value_words(std::optional<double> value, const std::string& unit) {
  return value ? number_words({.value = value, .unit = unit}) : "not measured";
}

std::string value_words(const result::Range& range, const std::string& unit) {
  const std::string low = value_words(range.low, unit);
  return range.low == range.high ? low : low + " to " + value_words(range.high, unit);
}

std::string interval_words(const result::Number& change) {
  if (!change.lower || !change.upper) {
    return change.reason.empty() ? "none" : "none: " + change.reason;
  }
  return gain_interval_text(change);
}

std::string change_words(const result::GateRow& row) {
  if (!row.delta.value) {
    return "not measured";
  }
  result::Number change = row.delta;
  change.n = row.pairs;
  return gain_text(change.value) + " " + gain_interval_text(change);
}

std::string counted_change(const result::Range& baseline, const result::Range& candidate) {
  if (baseline.low == candidate.low && baseline.high == candidate.high) {
    return "equal";
  }
  return baseline.high.value_or(0) > 0 && candidate.low
             ? gain_text(*candidate.low / *baseline.high - 1)
             : "new";
}

std::string share_or(std::optional<double> ratio, const char* otherwise) {
  return ratio ? share_text(*ratio) : otherwise;
}

std::string deciding_words(const result::GateRow& row) {
  return row.metric + " " + change_words(row) + " in " + counted(row.pairs, "pair") + ", budget " +
         share_or(row.budget, "none") + (row.verdict == "INCONCLUSIVE" ? "; " + row.why : "");
}

std::vector<PairChange> changes_of(const std::vector<result::GatePair>& pairs,
                                   const std::string& metric) {
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
