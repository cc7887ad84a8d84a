#include "report/run_comparison.h"

#include "base/error.h"
#include "base/text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <tuple>

namespace tune::report {

namespace {

constexpr const char* kBaselineCell = "baseline";
constexpr const char* kCandidateCell = "candidate";
constexpr const char* kGain = "gain";
constexpr const char* kRatio = "ratio";
// Fresh pairs say more than rounds of every cell, and those more than a search.
constexpr std::array<std::string_view, 3> kWindows = {"confirm", "audit", "search"};

// A count that differed between processes is a range, which is its interval.
result::Number count_of(const result::Range& range, const std::string& unit) {
  return {.value = range.low, .lower = range.low, .upper = range.high, .unit = unit};
}

void add_row(const result::GateRow& row,
             const std::string& cell,
             std::vector<result::Metric>& found) {
  const result::Range& side = cell == kBaselineCell ? row.baseline : row.candidate;
  result::Number number = count_of(side, row.unit);
  if (row.is_measured) {
    number.lower = number.upper = std::nullopt;
    number.n = row.pairs;
    number.reason = "a gate keeps intervals of changes only";
  }
  found.push_back({.id = row.metric, .cell = cell, .window = "gate", .number = number});
  if (row.is_measured && cell == kCandidateCell) {
    result::Number delta = row.delta;
    delta.unit = kRatio;
    found.push_back({.id = "delta_" + row.metric, .cell = cell, .window = "gate", .number = delta});
  }
}

void add_gain(result::Number gain,
              const std::string& cell,
              const std::string& window,
              std::vector<result::Metric>& found) {
  gain.unit = kRatio;
  found.push_back({.id = kGain, .cell = cell, .window = window, .number = std::move(gain)});
}

std::vector<result::Metric> metrics_of(const result::Result& result, const std::string& cell) {
  std::vector<result::Metric> found;
  for (const result::Metric& metric : result.metrics) {
    if (metric.cell == cell) {
      found.push_back(metric);
    }
  }
  for (const result::Cell& each : result.cells) {
    if (each.id == cell) {
      add_gain(each.gain, cell, each.window, found);
    }
  }
  if (cell == result.summary.best.side.cell) {
    add_gain(result.summary.best.gain, cell, "confirm", found);
  }
  if (result.gate) {
    for (const result::GateRow& row : result.gate->rows) {
      add_row(row, cell, found);
    }
  }
  std::erase_if(found, [](const result::Metric& metric) { return !metric.number.value; });
  return found;
}

std::size_t rank_of(std::string_view window) {
  return static_cast<std::size_t>(std::find(kWindows.begin(), kWindows.end(), window) -
                                  kWindows.begin());
}

bool has_interval(const result::Number& number) {
  return number.lower && number.upper;
}

using Metrics = std::vector<result::Metric>;

// The one that says most; null without any.
const result::Metric* best_of(const Metrics& metrics, const std::string& id) {
  const auto merit = [](const result::Metric& metric) {
    return std::tuple(!has_interval(metric.number), rank_of(metric.window));
  };
  const result::Metric* best = nullptr;
  for (const result::Metric& metric : metrics) {
    if (metric.id == id && (best == nullptr || merit(metric) < merit(*best))) {
      best = &metric;
    }
  }
  return best;
}

const result::Metric* in_window(const Metrics& metrics,
                                const std::string& id,
                                std::string_view window) {
  const auto found = std::find_if(metrics.begin(), metrics.end(), [&](const auto& metric) {
    return metric.id == id && metric.window == window && has_interval(metric.number);
  });
  return found == metrics.end() ? nullptr : &*found;
}

// The same window where both have an interval there.
std::pair<const result::Metric*, const result::Metric*> choose(const Metrics& a,
                                                               const Metrics& b,
                                                               const std::string& id) {
  for (const std::string_view window : kWindows) {
    const auto* const x = in_window(a, id, window);
    const auto* const y = in_window(b, id, window);
    if (x != nullptr && y != nullptr) {
      return {x, y};
    }
  }
  return {best_of(a, id), best_of(b, id)};
}

// 1: a higher one is faster, -1: a lower one is; 0: it is not a speed.
int speed_direction(const ComparedMetric& metric) {
  if (metric.unit == "samples/s") {
    return 1;
  }
  const bool is_duration = metric.id.ends_with("_time") || metric.id.starts_with("latency_");
  return metric.unit == "s" && is_duration ? -1 : 0;
}

bool is_point(const result::Number& number) {
  return number.lower == number.upper;
}

Relation relation_of(const ComparedMetric& metric) {
  if (!has_interval(metric.a) || !has_interval(metric.b)) {
    return Relation::no_interval;
  }
  if (is_point(metric.a) && is_point(metric.b) && metric.a.lower == metric.b.lower) {
    return Relation::equal;
  }
  if (*metric.a.lower <= *metric.b.upper && *metric.b.lower <= *metric.a.upper) {
    return Relation::within_noise;
  }
  const bool is_higher = *metric.b.lower > *metric.a.upper;
  const int direction = speed_direction(metric);
  if (direction == 0) {
    return is_higher ? Relation::higher : Relation::lower;
  }
  return is_higher == (direction > 0) ? Relation::faster : Relation::slower;
}

std::optional<double> change_of(const ComparedMetric& metric) {
  const double a = *metric.a.value, b = *metric.b.value;
  if (metric.unit == kRatio) {
    return b - a;
  }
  return a == 0 ? std::nullopt : std::optional(b / a - 1);
}

std::optional<ComparedMetric> compare_metric(const Metrics& a,
                                             const Metrics& b,
                                             const std::string& id) {
  const auto [x, y] = choose(a, b, id);
  if (x == nullptr || y == nullptr || x->number.unit != y->number.unit) {
    return std::nullopt;
  }
  ComparedMetric metric{.id = id,
                        .unit = x->number.unit,
                        .a = x->number,
                        .b = y->number,
                        .window_a = x->window,
                        .window_b = y->window};
  metric.change = change_of(metric);
  metric.relation = relation_of(metric);
  return metric;
}

std::vector<std::string> ids_of(const Metrics& metrics) {
  std::vector<std::string> ids;
  for (const result::Metric& metric : metrics) {
    if (std::find(ids.begin(), ids.end(), metric.id) == ids.end()) {
      ids.push_back(metric.id);
    }
  }
  return ids;
}

const result::GateSide& side_of(const result::Gate& gate, const std::string& cell) {
  return cell == kBaselineCell ? gate.baseline : gate.candidate;
}

const result::Setting& whole_setting(const result::Result& result, const std::string& cell) {
  static const result::Setting nothing;
  if (result.gate) {
    return side_of(*result.gate, cell).knobs;
  }
  for (const result::Cell& each : result.cells) {
    if (each.id == cell) {
      return each.knobs;
    }
  }
  return nothing;
}

std::string words_for(const result::Result& result, const std::string& cell) {
  return result.gate ? side_of(*result.gate, cell).words : result.setting_of(cell);
}

// A knob that only the newer tune knew had its default in the older run.
std::vector<ComparedCells::Knob> set_otherwise(const result::Setting& a, const result::Setting& b) {
  std::vector<ComparedCells::Knob> knobs;
  for (const auto& [name, value] : a) {
    for (const auto& [other_name, other] : b) {
      if (name == other_name && value != other) {
        knobs.push_back({name, result::value_text(value), result::value_text(other)});
      }
    }
  }
  return knobs;
}

std::vector<std::string> cell_ids(const result::Result& result) {
  if (result.gate) {
    return {kBaselineCell, kCandidateCell};
  }
  std::vector<std::string> ids;
  ids.reserve(result.cells.size());
  for (const result::Cell& cell : result.cells) {
    ids.push_back(cell.id);
  }
  return ids;
}

bool has_cell(const ComparedRun& run, const std::string& id) {
  const std::vector<std::string> ids = cell_ids(run.result);
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

std::string best_cell(const result::Result& result) {
  return result.gate ? kCandidateCell : result.summary.best.side.cell;
}

bool has_unknown_data(const result::Result& result) {
  const result::Data& data = result.environment.data;
  return data.manifest_sha256.empty() && data.source != "synthetic";
}

// "baseline, c01, c02 and 61 more"
std::string some_of(const std::vector<std::string>& ids) {
  constexpr std::size_t kMost = 12;
  if (ids.size() <= kMost) {
    return joined(ids);
  }
  const std::vector<std::string> first(ids.begin(), ids.begin() + kMost);
  return joined(first) + " and " + std::to_string(ids.size() - kMost) + " more";
}

}  // namespace

const char* name(Relation relation) {
  switch (relation) {
    case Relation::no_interval:
      return "no interval";
    case Relation::within_noise:
      return "within noise";
    case Relation::equal:
      return "equal";
    case Relation::faster:
      return "faster";
    case Relation::slower:
      return "slower";
    case Relation::higher:
      return "higher";
    case Relation::lower:
      return "lower";
  }
  return "no interval";
}

// The name as a code is written.
std::string code_of(Relation relation) {
  std::string code = name(relation);
  std::transform(code.begin(), code.end(), code.begin(), [](unsigned char letter) {
    return letter == ' ' ? '_' : static_cast<char>(std::toupper(letter));
  });
  return code;
}

std::vector<CellPair> usual_cells(const ComparedRun& a, const ComparedRun& b) {
  std::vector<CellPair> pairs;
  for (const CellPair& pair : {CellPair{kBaselineCell, kBaselineCell},
                               CellPair{best_cell(a.result), best_cell(b.result)}}) {
    const bool is_of_one_kind = a.result.kind == b.result.kind || pair.first == kBaselineCell;
    if (is_of_one_kind && has_cell(a, pair.first) && has_cell(b, pair.second)) {
      pairs.push_back(pair);
    }
  }
  return pairs;
}

std::string find_cell(const ComparedRun& run, const std::string& word, const std::string& where) {
  std::string id = word == "best" ? best_cell(run.result) : word;
  if (has_cell(run, id)) {
    return id;
  }
  const std::vector<std::string> ids = cell_ids(run.result);
  throw Error(Error::Parts{
      where,
      word == "best" ? run.name + " has no best cell" : run.name + " has no cell '" + word + "'",
      "it has " + some_of(ids),
      did_you_mean(word, ids)});
}

const std::vector<std::string>& usual_metrics() {
  static const std::vector<std::string> ids = {"throughput",
                                               kGain,
                                               "delta_throughput",
                                               "delta_epoch_time",
                                               "step_time",
                                               "epoch_time",
                                               "latency_p50",
                                               "latency_p99",
                                               "data_wait_ratio",
                                               "peak_memory_bytes",
                                               "operators",
                                               "allocations"};
  return ids;
}

ComparedCells compare_cells(const ComparedRun& a, const ComparedRun& b, const CellPair& cells) {
  ComparedCells compared{.a = cells.first,
                         .b = cells.second,
                         .setting_a = words_for(a.result, cells.first),
                         .setting_b = words_for(b.result, cells.second)};
  compared.knobs =
      set_otherwise(whole_setting(a.result, cells.first), whole_setting(b.result, cells.second));
  const Metrics of_a = metrics_of(a.result, cells.first);
  const Metrics of_b = metrics_of(b.result, cells.second);
  for (const std::string& id : ids_of(of_a)) {
    if (auto metric = compare_metric(of_a, of_b, id)) {
      compared.metrics.push_back(std::move(*metric));
    }
  }
  return compared;
}

std::vector<std::string> notes_on(const RunComparison& comparison) {
  std::vector<std::string> notes;
  for (const auto& [letter, run] : {std::pair("A", &comparison.a), std::pair("B", &comparison.b)}) {
    const result::Result& result = run->result;
    if (!result.provenance.complete) {
      notes.push_back(std::string(letter) + " is not complete: " +
                      (result.provenance.incomplete_reason.empty()
                           ? "it says no reason"
                           : result.provenance.incomplete_reason));
    }
    if (comparison.has_usual_cells && best_cell(result).empty()) {
      notes.push_back(std::string(letter) + " has no best cell besides its baseline");
    }
  }
  if (has_unknown_data(comparison.a.result) || has_unknown_data(comparison.b.result)) {
    notes.emplace_back("whether the data were the same is not known: they have no checksum");
  }
  for (const ComparedCells& cells : comparison.cells) {
    for (const ComparedMetric& metric : cells.metrics) {
      if (metric.window_a != metric.window_b) {
        notes.push_back(metric.id + " of " + cells.b + " is of another window: " + metric.window_a +
                        " in A, " + metric.window_b + " in B");
      }
    }
  }
  return notes;
}

}  // namespace tune::report
