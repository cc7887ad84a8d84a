#include "cli/noise_of_run.h"

#include "base/error.h"
#include "gate/calibration.h"
#include "machine/user_folders.h"

#include <optional>

namespace tune::cli {

namespace {

// As a gate that began with this scenario would ask: its processes have the baseline's settings.
gate::CalibrationKey key_of(const campaign::CampaignResult& result) {
  const scenario::Scenario& scenario = result.scenario;
  trial::TrialSpec spec;
  spec.knobs = scenario.baseline;
  spec.measure = scenario.measure;
  spec.measure.find_warmup = scenario.warmup_is_auto;
  return gate::calibration_key(result.machine, scenario.sha256, spec);
}

campaign::KnownNoise noise_of(const gate::Calibration& calibration) {
  return {.utc = calibration.utc,
          .launches = calibration.launches,
          .pair_ratio = calibration.pair_sd,
          .detectable_ratio = calibration.mde,
          .verdicts = calibration.verdicts,
          .alarms = calibration.alarms,
          .most_alarms_ratio = calibration.false_alarm_bound};
}

}  // namespace

void add_known_noise(campaign::CampaignResult& result) {
  const auto folder = machine::data_folder();
  const gate::CalibrationKey key = key_of(result);
  try {
    if (const auto calibration = gate::load_calibration(folder, key)) {
      result.noise = noise_of(*calibration);
      return;
    }
    result.noise_reason = gate::has_other_calibration(folder, key)
                              ? "calibrated here with other settings only"
                              : "not calibrated on this machine";
  } catch (const Error& error) {
    result.noise_reason = error.what();
  }
}

}  // namespace tune::cli
