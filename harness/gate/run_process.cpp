#include "gate/run_process.h"

#include "campaign/trial_record.h"

namespace tune::gate {

namespace {

// The fastest slice of the last processes of the same side: what a candidate does to its own cores
// is part of what it costs, and the clock of a laptop that gets warm is lower for good. 0: not
// known.
std::int64_t fastest_core_ns(const campaign::CampaignResult& run, const std::string& side) {
  constexpr int kProcesses = 4;
  std::int64_t fastest_ns = 0;
  int looked_at = 0;
  for (auto record = run.trials.rbegin(); record != run.trials.rend() && looked_at < kProcesses;
       ++record) {
    if (record->spec.cell != side || !record->outcome.reply) {
      continue;
    }
    ++looked_at;
    for (const trial::Slice& slice : record->outcome.reply->slices) {
      const std::int64_t seen_ns = slice.disturbance.core_probe_ns.value_or(0);
      if (seen_ns > 0 && (fastest_ns == 0 || seen_ns < fastest_ns)) {
        fastest_ns = seen_ns;
      }
    }
  }
  return fastest_ns;
}

}  // namespace

std::optional<trial::TrialReply> run_process(const ProcessRequest& request,
                                             campaign::CampaignResult& run,
                                             const GateLoop& loop) {
  if (loop.stopped()) {
    return std::nullopt;
  }
  campaign::TrialRecord record;
  record.spec = request.side.spec;
  record.spec.id = request.id;
  record.spec.cell = request.side.name;
  record.spec.measure.fastest_core_probe_ns = fastest_core_ns(run, request.side.name);
  record.spec.folder = (run.directory / "trials" / request.id).string();
  record.stage = "gate";
  record.round = request.standpoint.pair;
  record.position = request.position;
  campaign::make_trial_folder(record.spec.folder);
  loop.watcher.process_begins(request.standpoint);
  record.outcome = loop.run_trial(record.spec);
  if (record.outcome.kind == runner::OutcomeKind::interrupted) {
    return std::nullopt;
  }
  std::optional<ProcessSummary> summary;
  if (record.outcome.reply) {
    summary = summarise_process(*record.outcome.reply, record.spec);
    if (!record.spec.measure.find_warmup && !record.spec.measure.epoch) {
      record.steadiness = summary->steadiness;
    }
  }
  const ProcessSummary* const shown = summary ? &*summary : nullptr;
  loop.ledger.add(campaign::logged(record), shown);
  loop.watcher.process_ended(request.standpoint, record, shown);
  auto reply = record.outcome.reply;
  run.trials_failed += reply ? 0 : 1;
  run.trials.push_back(std::move(record));
  return reply;
}

std::int64_t expected_process_ns(const trial::Measure& measure) {
  constexpr std::int64_t kStartNs = 1'000'000'000;
  return kStartNs + measure.warmup_ns + measure.slices * measure.slice_ns;
}

}  // namespace tune::gate
