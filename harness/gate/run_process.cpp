#include "gate/run_process.h"

#include "campaign/core_reference.h"
#include "campaign/trial_record.h"

namespace tune::gate {

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
  record.spec.folder = (run.directory / "trials" / request.id).string();
  record.stage = "gate";
  record.spec.measure.fastest_core_probe_ns =
      campaign::fastest_core_probe_ns(run.trials, request.side.name, record.stage);
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
