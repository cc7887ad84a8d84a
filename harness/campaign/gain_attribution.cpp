#include "campaign/gain_attribution.h"

#include "campaign/taint.h"
#include "campaign/trial_record.h"

#include <cstddef>
#include <cstdint>
#include <map>

namespace tune::campaign {

namespace {

// By round the trial that counts: of a slot that ran again the last one.
using Rounds = std::map<std::int64_t, const TrialRecord*>;

Rounds rounds_of(const RecordedRun& run, const PairsOf& pairs) {
  Rounds rounds;
  for (const TrialRecord& record : run.trials) {
    if (record.stage == pairs.stage && record.spec.cell == pairs.cell && has_completed(record) &&
        record.outcome.reply) {
      rounds[record.round] = &record;
    }
  }
  return rounds;
}

void add_clean_slices(const TrialRecord& record, advice::PhaseTotals& totals) {
  const trial::TrialReply& reply = *record.outcome.reply;
  const CleanRate clean = clean_rate(reply);
  for (std::size_t i = 0; i < reply.slices.size(); ++i) {
    if (i < clean.is_clean.size() && clean.is_clean[i]) {
      totals += reply.slices[i];
    }
  }
}

}  // namespace

std::optional<advice::Attribution> attribution_of(const RecordedRun& run,
                                                  const PairsOf& pairs,
                                                  double gain) {
  const Rounds changed = rounds_of(run, pairs);
  const Rounds baseline = rounds_of(run, {.stage = pairs.stage, .cell = run.plan.cells[0].id});
  advice::PhaseTotals before;
  advice::PhaseTotals after;
  for (const auto& [round, record] : changed) {
    const auto partner = baseline.find(round);
    if (partner != baseline.end()) {
      add_clean_slices(*partner->second, before);
      add_clean_slices(*record, after);
    }
  }
  return advice::attribute(before, after, gain);
}

}  // namespace tune::campaign
