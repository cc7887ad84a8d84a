#include "campaign/failure_text.h"

namespace tune::campaign {

std::string failure_text(const TrialRecord& record) {
  const runner::TrialOutcome& outcome = record.outcome;
  std::string text =
      outcome.reason.empty() ? std::string(runner::name(outcome.kind)) : outcome.reason;
  if (record.stage == "warmup") {
    return text + " (looking for the steady state)";
  }
  if (record.stage == "diagnose") {
    return text + " (recording the baseline)";
  }
  if (record.stage == "ceiling") {
    return text + (record.round == 1 ? " (the model on resident batches)" : " (the loader alone)");
  }
  if (record.stage == "epoch") {
    return text + " (measuring a whole epoch)";
  }
  text += record.stage == "confirm"  ? " (confirming round "
          : record.stage == "ladder" ? " (ladder, round "
          : record.stage == "audit"  ? " (audit, round "
                                     : " (round ";
  return text + std::to_string(record.round) + ")";
}

}  // namespace tune::campaign
