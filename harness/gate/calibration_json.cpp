#include "base/error.h"
#include "base/fields.h"
#include "base/file.h"
#include "base/sha256.h"
#include "gate/calibration.h"
#include "gate/fingerprint.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace tune::gate {

namespace {

void detection_of(Fields& fields, Detection& detection) {
  fields.real("injected", detection.injected_ratio, 0, 1e6);
  fields.real("arrived", detection.arrived_ratio, 0, 1e6);
  fields.real("found", detection.found_ratio, -1, 1e6);
  fields.whole("pairs", detection.pairs, {0, 1'000'000});
  fields.text("verdict", detection.verdict, 64);
}

void differences_of(Fields& fields, std::vector<double>& differences) {
  constexpr std::size_t kMostDifferences = 100'000;
  fields.real_list("differences", differences, kMostDifferences, -10, 10);
  fields.expect(differences.size() >= 3, "differences", "are too few");
  fields.expect(
      std::none_of(
          differences.begin(), differences.end(), [](double value) { return std::isnan(value); }),
      "differences",
      "holds something that is no difference");
}

std::filesystem::path calibrations_of(const std::filesystem::path& data_folder) {
  return data_folder / "calibrations";
}

// What the files of a scenario on a machine begin with.
std::string name_of(const CalibrationKey& key) {
  constexpr std::size_t kScenario = 16;
  return key.machine + "-" + key.scenario_sha256.substr(0, kScenario) + "-";
}

}  // namespace

void fields_of(Fields& fields, Calibration& calibration) {
  constexpr Range kCount = {0, 1'000'000};
  constexpr double kLargest = 1e6;
  fields.schema(kCalibrationSchema);
  fields.text("scenario", calibration.scenario, 256);
  fields.text("scenario_sha256", calibration.key.scenario_sha256, 64);
  fields.text("settings_sha256", calibration.key.settings_sha256, 64);
  fields.text("machine", calibration.key.machine, 64);
  fields.text("utc", calibration.utc, 64);
  fields.whole("launches", calibration.launches, kCount);
  differences_of(fields, calibration.differences);
  fields.real("process_sd", calibration.noise.process_sd, 0, kLargest);
  fields.real("slice_sd", calibration.noise.slice_sd, 0, kLargest);
  fields.real("lag1_autocorrelation", calibration.noise.lag1_autocorrelation, -10, 10);
  fields.real("pair_sd", calibration.pair_sd, 0, kLargest);
  fields.whole("best_slices", calibration.best_slices, {1, kCount.max});
  fields.real("chance_at_budget", calibration.chance_at_budget, 0, 1);
  fields.real("chance_above", calibration.chance_above, 0, 1);
  fields.list("detections", calibration.detections, 100, detection_of);
  fields.real("mde", calibration.mde, 0, kLargest);
  fields.real("budget", calibration.budget, 0, kLargest);
  fields.real("process_s", calibration.process_s, 0, kLargest);
  fields.real("slice_s", calibration.slice_s, 0, kLargest);
  fields.whole("verdicts", calibration.verdicts, kCount);
  fields.whole("alarms", calibration.alarms, kCount);
  fields.real("false_alarm_bound", calibration.false_alarm_bound, 0, 1);
}

std::string to_json(const Calibration& calibration) {
  return sorted_json_text(to_value(calibration), 1) + "\n";
}

Calibration parse_calibration(std::string_view text, const std::string& where) {
  return parse_record<Calibration>(text, where);
}

CalibrationKey calibration_key(const machine::MachineFacts& machine,
                               const std::string& scenario_sha256,
                               const trial::TrialSpec& spec) {
  const trial::Measure& measure = spec.measure;
  std::string settings = trial::to_text(spec.knobs);
  for (const std::int64_t part : {measure.warmup_steps,
                                  measure.warmup_ns,
                                  measure.slices,
                                  measure.slice_ns,
                                  measure.slice_steps,
                                  std::int64_t{measure.find_warmup}}) {
    settings += "\n" + std::to_string(part);
  }
  return {machine_id(machine), scenario_sha256, sha256_hex(settings)};
}

std::filesystem::path calibration_file(const std::filesystem::path& data_folder,
                                       const CalibrationKey& key) {
  constexpr std::size_t kSettings = 8;
  return calibrations_of(data_folder) /
         (name_of(key) + key.settings_sha256.substr(0, kSettings) + ".json");
}

std::optional<Calibration> load_calibration(const std::filesystem::path& data_folder,
                                            const CalibrationKey& key) {
  const auto file = calibration_file(data_folder, key);
  if (type_of_kept(file) == std::filesystem::file_type::not_found) {
    return std::nullopt;
  }
  Calibration calibration = parse_calibration(read_kept_file(file), file.string());
  if (calibration.key != key) {
    throw Error(
        {file.string(), "is of another machine, scenario or setting", "", "tune calibrate FILE"});
  }
  return calibration;
}

bool has_other_calibration(const std::filesystem::path& data_folder, const CalibrationKey& key) {
  const auto own = calibration_file(data_folder, key).filename();
  std::error_code failed;
  for (const auto& entry :
       std::filesystem::directory_iterator(calibrations_of(data_folder), failed)) {
    const auto name = entry.path().filename();
    if (name != own && name.string().starts_with(name_of(key))) {
      return true;
    }
  }
  return false;
}

}  // namespace tune::gate
