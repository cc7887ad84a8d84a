#include "report/format/formats.h"
#include "report/format/metric_family.h"
#include "report/format/stored_text.h"

#include <map>
#include <string>
#include <vector>

namespace tune::report {

namespace {

const std::vector<std::string> kVerdicts = {"PASS", "REGRESSED", "IMPROVED", "INCONCLUSIVE"};

class Exposition {
 public:
  explicit Exposition(const result::Result& result) : result_(result) {}

  std::string text() {
    add_record();
    for (const result::Metric& metric : result_.metrics) {
      add(metric.id,
          metric.number,
          with({{"setting", result_.setting_of(metric.cell)}, {"window", metric.window}}));
    }
    for (const result::Cell& cell : result_.cells) {
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

  void add(const std::string& metric, const result::Number& number, const Labels& labels) {
    if (metric.empty() || !number.value) {
      return;
    }
    const std::string unit = metric == "gain" ? "ratio" : number.unit;
    for (const auto& [part, value] : std::map<std::string, std::optional<double>>{
             {"", number.value}, {"lower", number.lower}, {"upper", number.upper}}) {
      const auto [name, suffix] = family_name(metric, unit, part);
      families_.gauge(name, suffix, labels, exact_text(value));
    }
  }

  void add_record() {
    families_.info("tune_result",
                   with({{"kind", result_.kind},
                         {"version", result_.provenance.tune_version},
                         {"commit", result_.provenance.commit.text},
                         {"started", result_.provenance.started},
                         {"device", result_.environment.device},
                         {"cpu_model", result_.environment.cpu_model.text},
                         {"torch_version", result_.environment.worker.torch_version}}));
    std::map<std::string, int> outcomes;
    for (const result::Trial& trial : result_.provenance.trials) {
      ++outcomes[trial.outcome];
    }
    for (const auto& [outcome, count] : outcomes) {
      families_.gauge("tune_trials", "", with({{"outcome", outcome}}), std::to_string(count));
    }
    families_.gauge(
        "tune_elapsed_seconds", "seconds", with({}), exact_text(result_.provenance.elapsed));
  }

  void add_side(const result::GateRow& row, const std::string& side, const result::Range& range) {
    if (range.low == range.high) {
      add(row.metric,
          {.value = range.low, .unit = row.unit},
          with({{"setting", side}, {"window", "gate"}}));
    }
  }

  void add_gate(const result::Gate& gate) {
    families_.states("tune_gate_verdict", with({}), kVerdicts, gate.verdict);
    for (const result::GateRow& row : gate.rows) {
      add_side(row, "baseline", row.baseline);
      add_side(row, "candidate", row.candidate);
      result::Number change = row.delta;
      change.unit = "ratio";
      add("gate_change", change, with({{"metric", row.metric}}));
      if (row.is_gated) {
        add("gate_budget", {.value = row.budget, .unit = "ratio"}, with({{"metric", row.metric}}));
        families_.states(
            "tune_gate_row_verdict", with({{"metric", row.metric}}), kVerdicts, row.verdict);
      }
    }
  }

  const result::Result& result_;
  MetricFamilies families_;
};

}  // namespace

std::string to_openmetrics(const result::Result& result, const FormatOptions& /*options*/) {
  return Exposition(result).text();
}

}  // namespace tune::report
