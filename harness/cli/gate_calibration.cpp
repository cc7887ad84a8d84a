#include "cli/gate_calibration.h"

#include "base/error.h"
#include "base/file.h"
#include "machine/user_folders.h"
#include "report/number_text.h"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace tune::cli {

namespace {

constexpr const char* kUncalibrated =
    "uncalibrated: `tune calibrate` would tell what this machine can detect";
constexpr const char* kOtherSettings =
    "uncalibrated with these settings: `tune calibrate` with the same --set would tell what this "
    "machine can detect";

}  // namespace

std::optional<gate::Calibration> find_calibration(gate::GateResult& result) {
  const gate::CalibrationKey key =
      gate::calibration_key(result.run.machine, result.run.scenario.sha256, result.candidate.spec);
  auto calibration = gate::load_calibration(machine::data_folder(), key);
  if (!calibration) {
    result.calibration =
        gate::has_other_calibration(machine::data_folder(), key) ? kOtherSettings : kUncalibrated;
    return std::nullopt;
  }
  result.calibrated_mde = gate::detectable(*calibration, result.policy);
  result.calibration = "calibrated " + calibration->utc + ": detectable " +
                       report::share_text(*result.calibrated_mde) + ", false alarms " +
                       gate::false_alarm_text(*calibration);
  for (const gate::Budget& budget : result.policy.budgets) {
    if (budget.metric != "peak_memory_bytes" && result.policy.mode == gate::Mode::enforce &&
        budget.ratio < *result.calibrated_mde) {
      throw Error(Error::Parts{
          "budget " + report::share_text(budget.ratio) + " of " + budget.metric,
          "is below what this machine can detect",
          "the calibration of " + calibration->utc + " says " +
              report::share_text(*result.calibrated_mde),
          "a larger --budget, --mode warn, more pairs (--looks), or a new tune calibrate"});
    }
  }
  return calibration;
}

void add_to_calibration(const gate::GateResult& result, gate::Calibration calibration) {
  std::vector<double> differences;
  for (const gate::Pair& pair : result.pairs) {
    const auto a = pair.baseline.values.find("throughput");
    const auto b = pair.candidate.values.find("throughput");
    if (a != pair.baseline.values.end() && b != pair.candidate.values.end()) {
      differences.push_back(std::log(a->second / b->second));
    }
  }
  if (differences.empty()) {
    return;
  }
  if (result.end == gate::End::nothing_changed) {
    gate::add_equal_pairs(calibration, differences, result.policy.min_effect_ratio);
  } else {
    gate::add_equal_gate(calibration,
                         differences,
                         result.verdict == stats::GateVerdict::regressed,
                         result.policy.min_effect_ratio);
  }
  write_file_synced(gate::calibration_file(machine::data_folder(), calibration.key),
                    gate::to_json(calibration));
}

}  // namespace tune::cli
