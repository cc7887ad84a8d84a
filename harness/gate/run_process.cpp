#include "gate/run_process.h"

#include "campaign/core_reference.h"
#include "campaign/trial_record.h"
#include "gate/recorded_gate.h"

namespace tune::gate {

std::optional<trial::TrialReply> run_process(const ProcessRequest& request,
                                             campaign::CampaignResult& run,
                                             const GateLoop& loop) {
  if (loop.stopped()) {
    return std::nullopt;
  }
  campaign::TrialRecord record;
  if (loop.recording != nullptr) {
    record.spec = loop.recording->processes.at(request.id).spec;
  } else {
    record.spec = request.side.spec;
    record.spec.id = request.id;
    record.spec.cell = request.side.name;
    record.spec.folder = (run.directory / "trials" / request.id).string();
    record.spec.measure.fastest_core_probe_ns =
        campaign::fastest_core_probe_ns(run.trials, request.side.name, "gate");
    campaign::make_trial_folder(record.spec.folder);
  }
  record.stage = "gate";
  record.round = request.standpoint.pair;
  record.position = request.position;
  loop.watcher.process_begins(request.standpoint);
  record.outcome = loop.recording != nullptr ? loop.recording->processes.at(request.id).outcome
                                             : loop.run_trial(record.spec);
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
  if (loop.recording == nullptr) {
    loop.ledger.add(campaign::logged(record), shown);
  }
  loop.watcher.process_ended(request.standpoint, record, shown);
  auto reply = record.outcome.reply;
  run.trials_failed += reply ? 0 : 1;
  run.trials.push_back(std::move(record));
  return reply;
}

std::string process_id(std::int64_t pair, const std::string& side, std::int64_t attempt) {
  return "p" + std::string(pair < 10 ? "0" : "") + std::to_string(pair) + "-" + side +
         (attempt == 1 ? "" : "-" + std::to_string(attempt));
}

std::int64_t expected_process_ns(const trial::Measure& measure) {
  constexpr std::int64_t kStartNs = 1'000'000'000;
  return kStartNs + measure.warmup_ns + measure.slices * measure.slice_ns;
}

}  // namespace tune::gate
