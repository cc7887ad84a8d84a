#include "measure/campaign/pair_form.h"

#include "base/fields.h"
#include "base/text.h"
#include "measure/campaign/campaign_result.h"
#include "measure/campaign/ledger.h"
#include "measure/campaign/ledger_record.h"

namespace tune::campaign {

void fields_of(Fields& fields, PairForm& form) {
  fields.text("cell", form.cell);
  fields.record_if_any("applied", form.applied);
  fields.cut_text("why", form.why, kLongestLedgerText / 3, kLongestLedgerText);
}

trial::TrialSpec in_applied_form(const trial::TrialSpec& spec,
                                 const trial::KnobSettings& baseline,
                                 const trial::AppliedForm& form) {
  trial::TrialSpec given = spec;
  given.knobs = baseline;
  given.workload.script.applied = form;
  return given;
}

std::vector<std::string> without_effect(const TrialRecord& trial,
                                        const trial::KnobSettings& changed) {
  std::vector<std::string> lines;
  const auto& reply = trial.outcome.reply;
  if (!reply || !reply->script) {
    return lines;
  }
  for (const auto& [name, value] : changed) {
    const auto seen = reply->script->observed.find(name);
    if (seen != reply->script->observed.end() && seen->second != value) {
      lines.push_back(name + " was " + trial::to_text(seen->second) + ", not " +
                      trial::to_text(value));
    }
  }
  return lines;
}

std::string complaint_about_form(const TrialRecord& trial, const scenario::Cell& cell) {
  if (!has_completed(trial)) {
    const std::string& reason = trial.outcome.reason;
    return "its first run failed (" +
           one_line(reason.empty() ? std::string(runner::name(trial.outcome.kind)) : reason) + ")";
  }
  const std::vector<std::string> lines = without_effect(trial, cell.changed);
  return lines.empty() ? "" : "it has no effect: " + one_line(lines.front());
}

}  // namespace tune::campaign
