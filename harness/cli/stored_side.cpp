#include "cli/stored_side.h"

#include "gate/fingerprint.h"
#include "machine/user_folders.h"

#include <string>

namespace tune::cli {

gate::StoredBaseline load_stored(const GateRequest& request) {
  return request.baseline_is_file ? gate::load_baseline_file(request.baseline)
                                  : gate::load_baseline(machine::data_folder(), request.baseline);
}

std::optional<gate::StoredSide> find_stored(gate::GateResult& result, const GateRequest& request) {
  if (request.baseline.empty()) {
    return std::nullopt;
  }
  const gate::StoredBaseline baseline = load_stored(request);
  const gate::Fingerprint now = gate::fingerprint(
      result.run.machine, result.run.scenario.sha256, result.run.data.manifest_sha256);
  gate::StoredSide side = gate::usable_side(baseline, now, result.policy);
  const std::string& utc = baseline.recordings.back().utc;
  result.baseline.words = (request.baseline_is_file ? "baseline file " : "stored baseline ") +
                          request.baseline + " of " + utc;
  const auto days = gate::days_between(utc, result.run.started_utc);
  if (days && *days > gate::kOldAfterDays) {
    result.run.warnings.push_back("baseline " + request.baseline + " is " + std::to_string(*days) +
                                  " days old: machines change, record it anew");
  }
  const std::string change = gate::model_change(baseline, result.candidate.spec.workload.own);
  if (!change.empty()) {
    result.run.warnings.push_back(change);
  }
  result.run.warnings.push_back(
      "the baseline was not measured again: what changed on the machine since " + utc +
      " counts against the candidate");
  return side;
}

}  // namespace tune::cli
