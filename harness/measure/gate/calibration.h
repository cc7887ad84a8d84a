#pragma once

#include "base/stats/variance_components.h"
#include "machine/machine_facts.h"
#include "measure/gate/policy.h"
#include "trial/trial_spec.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tune::gate {

constexpr std::string_view kCalibrationSchema = "tune-calibration/1";

/// How often a slowdown of this size was found.
struct Detection {
  double injected_ratio = 0;  ///< asked for
  double arrived_ratio = 0;   ///< median over the processes, as they reported
  double found_ratio = 0;     ///< by how much the candidate was slower, as the gate would print it
  std::int64_t pairs = 0;
  std::string verdict;  ///< of the gate at the budget recommended
};

/// What a calibration is of. Other knobs or another measured window have other noise.
struct CalibrationKey {
  std::string machine;  ///< machine_id()
  std::string scenario_sha256, settings_sha256;
  bool operator==(const CalibrationKey&) const = default;
};

/// The key of processes like this one, before its warm-up has been found.
CalibrationKey calibration_key(const machine::MachineFacts& machine,
                               const std::string& scenario_sha256,
                               const trial::TrialSpec& spec);

/// What this machine's noise is for one scenario, and what a gate can therefore see.
struct Calibration {
  std::string scenario;
  CalibrationKey key;
  std::string utc;
  std::int64_t launches = 0;
  std::vector<double> differences;  ///< ln(time ratio) of A/A pairs next to each other in time
  stats::VarianceComponents noise;
  double pair_sd = 0;  ///< robust, of the differences
  double process_s = 0, slice_s = 0;
  std::optional<std::int64_t> best_slices;
  double mde = 0, budget = 0;                     ///< at 90 % power for one row; recommended
  double chance_at_budget = 0, chance_above = 0;  ///< of REGRESSED at b and at b + 2 points
  std::int64_t verdicts = 0, alarms = 0;  ///< A/A: independent ones, and false ones among all
  double false_alarm_bound = 1;
  std::vector<Detection> detections;
};

/// The rates of one process each, in the order of time.
struct Launch {
  double log_rate = 0;
  std::vector<double> slice_log_rates;
  double process_s = 0;  ///< without its slices
  double slices_s = 0;
};

/// Noise, smallest detectable effect, recommended budget and false-alarm bound of A/A launches.
/// Needs at least four.
Calibration calibrate(const std::vector<Launch>& launches,
                      double min_effect_ratio,
                      std::uint64_t seed);

/// The verdict of a gate on launches that were slowed down, each next to an A/A launch.
Detection detect(const std::vector<double>& differences,
                 double injected_ratio,
                 double arrived_ratio,
                 double budget_ratio,
                 double min_effect_ratio);

/// Takes in pairs of processes that were equal and were not judged: noise of this machine for free.
void add_equal_pairs(Calibration& calibration,
                     const std::vector<double>& differences,
                     double min_effect_ratio);

/// Takes in a gate whose two sides were equal: its differences and its verdict are A/A for free.
void add_equal_gate(Calibration& calibration,
                    const std::vector<double>& differences,
                    bool was_alarm,
                    double min_effect_ratio);

/// The smallest detectable effect for the looks of a policy.
double detectable(const Calibration& calibration, const Policy& policy);

/// "0 of 40, <= 7.2 %".
std::string false_alarm_text(const Calibration& calibration);

/// As it is kept, but for the order of the fields.
void fields_of(Fields& fields, Calibration& calibration);
std::string to_json(const Calibration& calibration);

/// Throws tune::Error when the text is not a calibration of this schema.
Calibration parse_calibration(std::string_view text, const std::string& where);

/// <data folder>/calibrations/<machine>-<begin of the scenario's hash>-<of the settings'>.json.
std::filesystem::path calibration_file(const std::filesystem::path& data_folder,
                                       const CalibrationKey& key);

/// Nothing where there is none of this key. Throws tune::Error when it is damaged.
std::optional<Calibration> load_calibration(const std::filesystem::path& data_folder,
                                            const CalibrationKey& key);

/// Whether the scenario has been calibrated here with other settings.
bool has_other_calibration(const std::filesystem::path& data_folder, const CalibrationKey& key);

}  // namespace tune::gate
