#include "base/error.h"
#include "base/file.h"
#include "base/sha256.h"
#include "gate/calibration.h"
#include "gate/fingerprint.h"
#include "trial/json_object.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace tune::gate {

namespace {

using nlohmann::json;
using trial::JsonObject;

constexpr std::size_t kMostDifferences = 100'000;

std::vector<double> read_numbers(const json& list, const std::string& where) {
  std::vector<double> numbers;
  for (const json& entry : list) {
    if (!entry.is_number() || !std::isfinite(entry.get<double>()) ||
        std::abs(entry.get<double>()) > 10) {
      trial::complain(where, "differences", "holds something that is no difference");
    }
    numbers.push_back(entry.get<double>());
  }
  if (numbers.size() < 3) {
    trial::complain(where, "differences", "are too few");
  }
  return numbers;
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

std::string to_json(const Calibration& calibration) {
  json detections = json::array();
  for (const Detection& detection : calibration.detections) {
    detections.push_back({{"injected", detection.injected_ratio},
                          {"arrived", detection.arrived_ratio},
                          {"found", detection.found_ratio},
                          {"pairs", detection.pairs},
                          {"verdict", detection.verdict}});
  }
  const json object = {
      {"schema", kCalibrationSchema},
      {"scenario", calibration.scenario},
      {"scenario_sha256", calibration.key.scenario_sha256},
      {"settings_sha256", calibration.key.settings_sha256},
      {"machine", calibration.key.machine},
      {"utc", calibration.utc},
      {"launches", calibration.launches},
      {"differences", calibration.differences},
      {"process_sd", calibration.noise.process_sd},
      {"slice_sd", calibration.noise.slice_sd},
      {"lag1_autocorrelation", calibration.noise.lag1_autocorrelation},
      {"pair_sd", calibration.pair_sd},
      {"process_s", calibration.process_s},
      {"slice_s", calibration.slice_s},
      {"best_slices", calibration.best_slices ? json(*calibration.best_slices) : json(nullptr)},
      {"mde", calibration.mde},
      {"budget", calibration.budget},
      {"chance_at_budget", calibration.chance_at_budget},
      {"chance_above", calibration.chance_above},
      {"verdicts", calibration.verdicts},
      {"alarms", calibration.alarms},
      {"false_alarm_bound", calibration.false_alarm_bound},
      {"detections", std::move(detections)}};
  return object.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

Calibration parse_calibration(std::string_view text, const std::string& where) {
  const json parsed = trial::parse_json(text, where);
  JsonObject object(parsed, where, "");
  const std::string schema = object.text("schema", 64);
  if (schema != kCalibrationSchema) {
    trial::complain(
        where,
        "schema",
        "is '" + schema + "', this version of tune reads " + std::string(kCalibrationSchema));
  }
  Calibration calibration;
  calibration.scenario = object.text("scenario", 256);
  calibration.key.scenario_sha256 = object.text("scenario_sha256", 64);
  calibration.key.settings_sha256 = object.text("settings_sha256", 64);
  calibration.key.machine = object.text("machine", 64);
  calibration.utc = object.text("utc", 64);
  calibration.launches = object.whole("launches", {0, 1'000'000});
  calibration.differences = read_numbers(object.list("differences", kMostDifferences), where);
  calibration.noise.process_sd = object.real("process_sd", 0, 1e6);
  calibration.noise.slice_sd = object.real("slice_sd", 0, 1e6);
  calibration.noise.lag1_autocorrelation = object.real("lag1_autocorrelation", -10, 10);
  calibration.pair_sd = object.real("pair_sd", 0, 1e6);
  if (!object.is_null("best_slices")) {
    calibration.best_slices = object.whole("best_slices", {1, 1'000'000});
  }
  calibration.chance_at_budget = object.real("chance_at_budget", 0, 1);
  calibration.chance_above = object.real("chance_above", 0, 1);
  object.each("detections", 100, [&](JsonObject& entry) {
    Detection detection;
    detection.injected_ratio = entry.real("injected", 0, 1e6);
    detection.arrived_ratio = entry.real("arrived", 0, 1e6);
    detection.found_ratio = entry.real("found", -1, 1e6);
    detection.pairs = entry.whole("pairs", {0, 1'000'000});
    detection.verdict = entry.text("verdict", 64);
    calibration.detections.push_back(std::move(detection));
  });
  calibration.mde = object.real("mde", 0, 1e6);
  calibration.budget = object.real("budget", 0, 1e6);
  calibration.process_s = object.real("process_s", 0, 1e6);
  calibration.slice_s = object.real("slice_s", 0, 1e6);
  calibration.verdicts = object.whole("verdicts", {0, 1'000'000});
  calibration.alarms = object.whole("alarms", {0, 1'000'000});
  calibration.false_alarm_bound = object.real("false_alarm_bound", 0, 1);
  return calibration;
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
