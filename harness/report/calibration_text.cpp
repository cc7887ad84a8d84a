#include "report/calibration_text.h"

#include "base/fields.h"
#include "base/text.h"
#include "base/units.h"
#include "report/number_text.h"
#include "report/result_of.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>

namespace tune::report {

namespace {

// Noise is often far below a percent.
std::string fine_percent(double ratio) {
  return number_text(100 * ratio) + " %";
}

}  // namespace

std::string calibration_text(const gate::Calibration& calibration) {
  std::string text;
  const auto add = [&](const std::string& name, const std::string& value) {
    text += name + std::string(18 - std::min<std::size_t>(17, name.size()), ' ') + value + "\n";
  };
  add("launches",
      std::to_string(calibration.launches) + " equal ones, each " +
          format_seconds(calibration.process_s) + " and slices of " +
          format_seconds(calibration.slice_s));
  add("noise",
      "between processes " + fine_percent(calibration.noise.process_sd) +
          ", between slices of one " + fine_percent(calibration.noise.slice_sd) +
          " (neighbours correlate by " + number_text(calibration.noise.lag1_autocorrelation) +
          "), between pairs " + fine_percent(calibration.pair_sd));
  add("slices",
      calibration.best_slices
          ? std::to_string(*calibration.best_slices) + " a process would be best"
          : "processes differ no more than their slices: more slices are as good as more "
            "processes");
  add("detectable", "a slowdown of " + share_text(calibration.mde) + " is found by 90 % of gates");
  add("budget",
      share_text(calibration.budget) + " is recommended; a slowdown of as much fails " +
          share_text(calibration.chance_at_budget) + " of gates, of 2 points more " +
          share_text(calibration.chance_above));
  add("false alarms", gate::false_alarm_text(calibration));
  for (const gate::Detection& detection : calibration.detections) {
    add("slowed by " + share_text(detection.injected_ratio),
        "arrived " + gain_text(detection.arrived_ratio) + ", found " +
            gain_text(detection.found_ratio) + " in " + counted(detection.pairs, "pair") + ": " +
            detection.verdict);
  }
  return text;
}

std::string to_calibration_result(const gate::GateResult& record,
                                  const gate::Calibration& calibration) {
  result::Result result;
  result.kind = "calibrate";
  result.summary_reason = "a calibration ranks no settings";
  result.findings_reason = "a calibration does not diagnose";
  result.recommendations_reason = "a calibration recommends no setting";
  result.gate_reason = "a calibration is not a gate";
  result.part_name = "calibration";
  result.part =
      std::make_shared<const nlohmann::ordered_json>(nlohmann::json(to_value(calibration)));
  result.has_environment = result.has_scenario = true;
  result.environment = environment_of(record.run);
  result.scenario = scenario_of(record.run.scenario);
  result.provenance = provenance_of(record.run);
  return result::to_json(result);
}

}  // namespace tune::report
