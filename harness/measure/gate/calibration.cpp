#include "measure/gate/calibration.h"

#include "base/assert.h"
#include "base/error.h"
#include "base/fields.h"
#include "base/file.h"
#include "base/seeded_order.h"
#include "base/sha256.h"
#include "base/stats/counts.h"
#include "base/stats/detectable_effect.h"
#include "base/stats/quantile.h"
#include "base/stats/signed_rank.h"
#include "base/stats/verdict.h"
#include "measure/gate/fingerprint.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace tune::gate {

namespace {

constexpr double kLeastBudget = 0.02;
constexpr double kBudgetStep = 0.005;
constexpr std::int64_t kPairings = 200;
constexpr std::size_t kMostDifferences = 2'000;
constexpr std::int64_t kLaunchesPerVerdict = 20;

// Neighbours in time, as the two processes of a gate's pair are, each launch in at most two pairs.
std::vector<double> neighbour_differences(const std::vector<Launch>& launches) {
  std::vector<double> differences;
  for (std::size_t i = 0; i + 1 < launches.size(); ++i) {
    const double sign = i % 2 == 0 ? 1 : -1;  // which of them is called the candidate
    differences.push_back(sign * (launches[i].log_rate - launches[i + 1].log_rate));
  }
  return differences;
}

// How many gates of randomly re-paired launches cry wolf.
std::int64_t count_alarms(const std::vector<Launch>& launches,
                          const stats::EffectLimits& limits,
                          std::uint64_t seed) {
  const stats::LookSchedule looks = stats::make_looks(stats::kGateAlpha, 1);
  std::int64_t alarms = 0;
  for (std::int64_t pairing = 0; pairing < kPairings; ++pairing) {
    const auto order = seeded_order(launches.size(), seed, "calibrate", pairing);
    std::vector<double> differences;
    for (std::size_t i = 0; i + 1 < order.size(); i += 2) {
      differences.push_back(launches[order[i]].log_rate - launches[order[i + 1]].log_rate);
    }
    for (std::size_t look = 0; look < looks.pairs.size(); ++look) {
      const auto pairs = static_cast<std::size_t>(looks.pairs[look]);
      if (differences.size() < pairs) {
        break;
      }
      const std::vector<double> seen(differences.begin(),
                                     differences.begin() + static_cast<std::ptrdiff_t>(pairs));
      const auto answer = stats::gate_verdicts({{.differences = seen, .limits = limits}},
                                               {.schedule = looks, .index = look});
      if (answer.front().verdict == stats::GateVerdict::regressed) {
        ++alarms;
      }
      if (answer.front().verdict != stats::GateVerdict::inconclusive) {
        break;
      }
    }
  }
  return alarms;
}

double mean(const std::vector<Launch>& launches, double Launch::*part) {
  double sum = 0;
  for (const Launch& launch : launches) {
    sum += launch.*part;
  }
  return sum / static_cast<double>(launches.size());
}

}  // namespace

Calibration calibrate(const std::vector<Launch>& launches,
                      double min_effect_ratio,
                      std::uint64_t seed) {
  TUNE_ASSERT(launches.size() >= 4);
  Calibration result;
  result.launches = static_cast<std::int64_t>(launches.size());
  result.differences = neighbour_differences(launches);
  std::vector<std::vector<double>> slices;
  std::size_t slice_count = 0;
  for (const Launch& launch : launches) {
    slices.push_back(launch.slice_log_rates);
    slice_count += launch.slice_log_rates.size();
  }
  if (slice_count > launches.size()) {
    result.noise = stats::variance_components(slices);
  }
  result.pair_sd = stats::robust_deviation(result.differences);
  result.process_s = mean(launches, &Launch::process_s);
  result.slice_s = mean(launches, &Launch::slices_s) * static_cast<double>(launches.size()) /
                   static_cast<double>(std::max<std::size_t>(slice_count, 1));
  if (result.process_s > 0 && result.slice_s > 0) {
    if (const auto best = stats::best_slices(result.noise, {result.process_s, result.slice_s})) {
      result.best_slices = static_cast<std::int64_t>(*best);
    }
  }
  const auto looks = stats::make_looks(stats::kGateAlpha, 1);
  result.mde =
      stats::minimum_detectable_effect(result.differences, looks, min_effect_ratio).effect_ratio;
  result.budget = std::max(kLeastBudget, std::ceil(result.mde / kBudgetStep - 1e-9) * kBudgetStep);
  const stats::EffectLimits limits{.min_effect_ratio = min_effect_ratio,
                                   .budget_ratio = result.budget};
  const auto chance = [&](double effect) {
    return stats::detection_chance(result.differences, limits, effect).regressed;
  };
  result.chance_at_budget = chance(result.budget);
  result.chance_above = chance(result.budget + 0.02);
  result.verdicts = result.launches / kLaunchesPerVerdict;
  // Re-paired verdicts are dependent: as many count as are independent, and of the alarms their
  // share. One among two hundred is within what the test promises, and no reason to say one of two.
  const std::int64_t alarms = count_alarms(launches, limits, seed);
  result.alarms = (alarms * result.verdicts + kPairings / 2) / kPairings;
  result.false_alarm_bound = stats::false_alarm_bound(result.alarms, result.verdicts);
  return result;
}

Detection detect(const std::vector<double>& differences,
                 double injected_ratio,
                 double arrived_ratio,
                 double budget_ratio,
                 double min_effect_ratio) {
  Detection detection{.injected_ratio = injected_ratio, .arrived_ratio = arrived_ratio};
  detection.pairs = static_cast<std::int64_t>(differences.size());
  if (differences.empty()) {
    detection.verdict = "INCONCLUSIVE";
    return detection;
  }
  detection.found_ratio = std::expm1(stats::hodges_lehmann(differences));
  stats::LookSchedule looks{.pairs = {detection.pairs}, .alpha = stats::kGateAlpha / 3, .rows = 1};
  const auto answer = stats::gate_verdicts(
      {{.differences = differences,
        .limits = {.min_effect_ratio = min_effect_ratio, .budget_ratio = budget_ratio}}},
      {.schedule = looks});
  switch (answer.front().verdict) {
    case stats::GateVerdict::regressed:
      detection.verdict = "REGRESSED";
      break;
    case stats::GateVerdict::pass:
      detection.verdict = "PASS";
      break;
    case stats::GateVerdict::improved:
      detection.verdict = "IMPROVED";
      break;
    case stats::GateVerdict::inconclusive:
      detection.verdict = "INCONCLUSIVE";
      break;
  }
  return detection;
}

void add_equal_pairs(Calibration& calibration,
                     const std::vector<double>& differences,
                     double min_effect_ratio) {
  auto& known = calibration.differences;
  known.insert(known.end(), differences.begin(), differences.end());
  if (known.size() > kMostDifferences) {  // the oldest say least about the machine of today
    known.erase(known.begin(), known.end() - static_cast<std::ptrdiff_t>(kMostDifferences));
  }
  calibration.pair_sd = stats::robust_deviation(known);
  calibration.mde = stats::minimum_detectable_effect(
                        known, stats::make_looks(stats::kGateAlpha, 1), min_effect_ratio)
                        .effect_ratio;
}

void add_equal_gate(Calibration& calibration,
                    const std::vector<double>& differences,
                    bool was_alarm,
                    double min_effect_ratio) {
  add_equal_pairs(calibration, differences, min_effect_ratio);
  calibration.verdicts += 1;
  calibration.alarms += was_alarm ? 1 : 0;
  calibration.false_alarm_bound = stats::false_alarm_bound(
      std::min(calibration.alarms, calibration.verdicts), calibration.verdicts);
}

double detectable(const Calibration& calibration, const Policy& policy) {
  return stats::minimum_detectable_effect(
             calibration.differences, look_schedule(policy), policy.min_effect_ratio)
      .effect_ratio;
}

std::string false_alarm_text(const Calibration& calibration) {
  std::array<char, 64> text{};
  std::snprintf(text.data(),
                text.size(),
                "%lld of %lld, <= %.1f %%",
                static_cast<long long>(calibration.alarms),
                static_cast<long long>(calibration.verdicts),
                100 * calibration.false_alarm_bound);
  return text.data();
}

namespace {

void detection_of(Fields& fields, Detection& detection) {
  fields.real("injected", detection.injected_ratio, 0, 1e6);
  fields.real("arrived", detection.arrived_ratio, 0, 1e6);
  fields.real("found", detection.found_ratio, -1, 1e6);
  fields.whole("pairs", detection.pairs, {0, 1'000'000});
  fields.text("verdict", detection.verdict, 64);
}

void differences_of(Fields& fields, std::vector<double>& differences) {
  constexpr std::size_t kMostWritten = 100'000;
  fields.real_list("differences", differences, kMostWritten, -10, 10);
  fields.expect(differences.size() >= 3, "differences", "are too few");
  fields.expect(
      std::none_of(
          differences.begin(), differences.end(), [](double value) { return std::isnan(value); }),
      "differences",
      "holds a value that is not a number");
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
