#include "report/calibration_text.h"

#include "base/printable.h"
#include "base/units.h"
#include "report/json_parts.h"
#include "report/number_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace tune::report {

namespace {

using Json = nlohmann::ordered_json;

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
  Json json;
  json["schema"] = "tune-result/1";
  json["kind"] = "calibrate";
  put_or_reason(json, "summary", nullptr, "a calibration ranks no settings");
  json["warnings"] = Json::array();
  for (const char* list : {"cells", "collapsed", "forbidden", "metrics", "findings"}) {
    json[list] = Json::array();
  }
  json["findings_reason"] = "a calibration does not diagnose";
  json["recommendations"] = Json::array();
  json["recommendations_reason"] = "a calibration recommends no setting";
  put_or_reason(json, "gate", nullptr, "a calibration is not a gate");
  json["calibration"] = Json::parse(gate::to_json(calibration));
  json["environment"] = environment_json(record.run);
  json["scenario"] = {{"name", record.run.scenario.name},
                      {"description", record.run.scenario.description},
                      {"file", record.run.scenario.file.string()},
                      {"sha256", record.run.scenario.sha256},
                      {"text", record.run.scenario.text}};
  json["provenance"] = provenance_json(record.run);
  return tune::escaped(json.dump(1, ' ', false, Json::error_handler_t::replace)) + "\n";
}

}  // namespace tune::report
