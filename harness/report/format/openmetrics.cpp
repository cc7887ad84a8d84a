#include "report/format/formats.h"
#include "report/format/metric_family.h"
#include "report/format/stored_text.h"

#include <map>
#include <string>
#include <vector>

namespace tune::report {

namespace {

const std::vector<std::string> kVerdicts = {"PASS", "REGRESSED", "IMPROVED", "INCONCLUSIVE"};

std::string text_of(const std::optional<double>& number) {
  return number ? exact_text(*number) : "";
}

class Exposition {
 public:
  explicit Exposition(const StoredResult& result) : result_(result) {}

  std::string text() {
    add_record();
    for (const StoredMetric& metric : result_.metrics) {
      add(metric.id,
          metric.number,
          with({{"setting", result_.setting_of(metric.cell)}, {"window", metric.window}}));
    }
    for (const StoredCell& cell : result_.cells) {
      add("gain", cell.gain, with({{"setting", cell.setting}, {"window", cell.window}}));
    }
    if (result_.gate) {
      add_gate(*result_.gate);
    }
    return families_.text();
  }

 private:
  Labels with(const Labels& more) const {
    Labels labels = {{"scenario", result_.scenario.name}};
    for (const auto& label : more) {
      if (!label.second.empty()) {  // an empty label is none
        labels.push_back(label);
      }
    }
    return labels;
  }

  void add(const std::string& metric, const StoredNumber& number, const Labels& labels) {
    if (metric.empty() || !number.value) {
      return;
    }
    const std::string unit = metric == "gain" ? "ratio" : number.unit;
    for (const auto& [part, value] : std::map<std::string, std::optional<double>>{
             {"", number.value}, {"lower", number.lower}, {"upper", number.upper}}) {
      const auto [name, suffix] = family_name(metric, unit, part);
      families_.gauge(name, suffix, labels, text_of(value));
    }
  }

  void add_record() {
    families_.info("tune_result",
                   with({{"kind", result_.kind},
                         {"version", result_.version},
                         {"commit", result_.commit},
                         {"started", result_.started},
                         {"device", result_.device},
                         {"cpu_model", result_.cpu_model},
                         {"torch_version", result_.torch_version}}));
    std::map<std::string, int> outcomes;
    for (const StoredTrial& trial : result_.trials) {
      ++outcomes[trial.outcome];
    }
    for (const auto& [outcome, count] : outcomes) {
      families_.gauge("tune_trials", "", with({{"outcome", outcome}}), std::to_string(count));
    }
    families_.gauge("tune_elapsed_seconds", "seconds", with({}), text_of(result_.elapsed_s));
  }

  void add_side(const StoredGateRow& row, const std::string& side, const StoredRange& range) {
    if (range.low == range.high) {
      add(row.metric,
          {.value = range.low, .unit = row.unit},
          with({{"setting", side}, {"window", "gate"}}));
    }
  }

  void add_gate(const StoredGate& gate) {
    families_.states("tune_gate_verdict", with({}), kVerdicts, gate.verdict);
    for (const StoredGateRow& row : gate.rows) {
      add_side(row, "baseline", row.baseline);
      add_side(row, "candidate", row.candidate);
      StoredNumber change = row.delta;
      change.unit = "ratio";
      add("gate_change", change, with({{"metric", row.metric}}));
      if (row.is_gated) {
        add("gate_budget", {.value = row.budget, .unit = "ratio"}, with({{"metric", row.metric}}));
        families_.states(
            "tune_gate_row_verdict", with({{"metric", row.metric}}), kVerdicts, row.verdict);
      }
    }
  }

  const StoredResult& result_;
  MetricFamilies families_;
};

}  // namespace

std::string to_openmetrics(const StoredResult& result, const FormatOptions& /*options*/) {
  return Exposition(result).text();
}

}  // namespace tune::report
