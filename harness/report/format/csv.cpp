#include "report/format/formats.h"
#include "report/format/stored_text.h"

#include <array>
#include <cstddef>
#include <string_view>

namespace tune::report {

namespace {

struct Row {
  std::string kind, cell, setting, window, trial;
  std::string round, slice;
  std::string metric;
  result::Number number;
  std::string outcome, reason;
};

// RFC 4180. A spreadsheet would run what begins like a formula.
std::string field(const std::string& text) {
  const bool is_formula =
      !text.empty() && std::string_view("=+-@").find(text.front()) != std::string_view::npos;
  std::string safe = is_formula ? "'" + text : text;
  if (safe.find_first_of(",\"") == std::string::npos) {
    return safe;
  }
  std::string quoted = "\"";
  for (const char c : safe) {
    quoted += c == '"' ? "\"\"" : std::string(1, c);
  }
  return quoted + "\"";
}

class Table {
 public:
  explicit Table(const result::Result& result) : scenario_(field(result.scenario.name)) {
    text_ =
        "scenario,kind,cell,setting,window,trial,round,slice,metric,unit,value,lower,upper,"
        "confidence,n,outcome,reason\r\n";
  }

  void add(const Row& row) {
    const result::Number& number = row.number;
    const std::array<std::string, 16> fields = {field(row.kind),
                                                field(row.cell),
                                                field(row.setting),
                                                field(row.window),
                                                field(row.trial),
                                                row.round,
                                                row.slice,
                                                field(row.metric),
                                                field(number.unit),
                                                exact_text(number.value),
                                                exact_text(number.lower),
                                                exact_text(number.upper),
                                                exact_text(number.confidence),
                                                number.n > 0 ? std::to_string(number.n) : "",
                                                field(row.outcome),
                                                field(row.reason)};
    text_ += scenario_;
    for (const std::string& each : fields) {
      text_ += "," + each;
    }
    text_ += "\r\n";
  }

  const std::string& text() const { return text_; }

 private:
  std::string scenario_, text_;
};

void add_cells(const result::Result& result, Table& table) {
  for (const result::Metric& metric : result.metrics) {
    table.add({.kind = "cell",
               .cell = metric.cell,
               .setting = result.setting_of(metric.cell),
               .window = metric.window,
               .metric = metric.id,
               .number = metric.number,
               .reason = metric.number.reason});
  }
  for (const result::Cell& cell : result.cells) {
    Row row{.kind = "cell",
            .cell = cell.id,
            .setting = cell.setting,
            .window = cell.window,
            .outcome = cell.outcome};
    if (!cell.throughput.value) {  // where there is one it stands among the metrics
      row.metric = "throughput";
      row.number = cell.throughput;
      row.number.unit = "samples/s";
      row.reason = cell.reason.empty() ? cell.throughput.reason : cell.reason;
      table.add(row);
    }
    row.metric = "gain";
    row.number = cell.gain;
    row.number.unit = "ratio";
    row.reason = cell.gain.reason;
    table.add(row);
  }
}

void add_trials(const result::Result& result, Table& table) {
  for (const result::Trial& trial : result.provenance.trials) {
    Row row{.kind = "trial",
            .cell = trial.cell,
            .setting = result.setting_of(trial.cell),
            .window = trial.stage,
            .trial = trial.id,
            .round = std::to_string(trial.round),
            .metric = "throughput",
            .number = {.value = trial.measured.throughput, .unit = "samples/s"},
            .outcome = trial.outcome,
            .reason = trial.reason};
    table.add(row);
    row.metric = "trial_time";
    row.number = {.value = trial.seconds, .unit = "s"};
    table.add(row);
    row.kind = "slice";
    row.metric = "throughput";
    for (std::size_t i = 0; i < trial.measured.slices.size(); ++i) {
      const result::Slice& slice = trial.measured.slices[i];
      row.slice = std::to_string(i + 1);
      row.number = {.n = slice.steps, .unit = "samples/s"};
      if (slice.seconds > 1e-9 && slice.samples > 0) {
        row.number.value = static_cast<double>(slice.samples) / slice.seconds;
      }
      row.reason = slice.counts ? "" : "disturbed: it does not count";
      table.add(row);
    }
  }
}

void add_recommendations(const result::Result& result, Table& table) {
  for (const result::Recommendation& each : result.recommendations) {
    const std::string change = result::change_text(each.change);
    Row row{.kind = "recommendation",
            .cell = each.id,
            .setting = each.rule + (change.empty() ? "" : ": " + change),
            .metric = "predicted_gain",
            .number = each.predicted.gain,
            .outcome = "PREDICTED",
            .reason = each.predicted.gain.reason};
    row.number.unit = "ratio";
    table.add(row);
    row.metric = "measured_gain";
    row.number = each.measured.gain;
    row.number.unit = "ratio";
    row.outcome = each.verdict;
    row.reason = each.measured.gain.reason;
    table.add(row);
  }
}

// A range, as counts of several processes may be, has both ends and no value.
result::Number number_of(const result::Range& range, const std::string& unit) {
  result::Number number{.unit = unit};
  if (range.low && range.high && *range.low == *range.high) {
    number.value = range.low;
  } else {
    number.lower = range.low;
    number.upper = range.high;
  }
  return number;
}

void add_gate(const result::Gate& gate, Table& table) {
  for (const result::GateRow& each : gate.rows) {
    Row row{.kind = "gate", .window = "gate", .metric = each.metric};
    row.cell = row.setting = "baseline";
    row.number = number_of(each.baseline, each.unit);
    table.add(row);
    row.cell = row.setting = "candidate";
    row.number = number_of(each.candidate, each.unit);
    table.add(row);
    row.metric = each.metric + "_change";
    row.number = each.delta;
    row.number.unit = "ratio";
    row.number.n = each.pairs;
    row.outcome = each.is_gated ? each.verdict : "";
    row.reason = each.why;
    table.add(row);
  }
}

}  // namespace

std::string to_csv(const result::Result& result, const FormatOptions& /*options*/) {
  Table table(result);
  add_cells(result, table);
  add_trials(result, table);
  add_recommendations(result, table);
  if (result.gate) {
    add_gate(*result.gate, table);
  }
  return table.text();
}

}  // namespace tune::report
