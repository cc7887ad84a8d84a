#include "campaign/trial_record.h"

#include "base/error.h"

namespace tune::campaign {

void make_trial_folder(const std::filesystem::path& folder) {
  std::error_code failed;
  std::filesystem::remove_all(folder, failed);
  if (!failed) {
    std::filesystem::create_directories(folder, failed);
  }
  if (failed) {
    throw_failed_call(folder, "cannot be made anew", failed.value());
  }
}

LoggedTrial logged(const TrialRecord& record) {
  LoggedTrial trial;
  trial.id = record.spec.id;
  trial.stage = record.stage;
  trial.cell = record.spec.cell;
  trial.round = record.round;
  trial.position = record.position;
  trial.attempt = record.attempt;
  trial.timeout_ns = record.spec.timeout_ns;
  trial.outcome = record.outcome;
  trial.outcome.reply.reset();
  if (record.outcome.kind == runner::OutcomeKind::completed) {
    trial.reply = "trials/" + record.spec.id + "/reply.json";
  }
  return trial;
}

bool has_completed(const TrialRecord& record) {
  return record.outcome.kind == runner::OutcomeKind::completed;
}

}  // namespace tune::campaign
