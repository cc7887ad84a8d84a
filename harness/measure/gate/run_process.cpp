#include "measure/gate/run_process.h"

#include "base/error.h"
#include "base/seeded_order.h"
#include "base/units.h"
#include "measure/campaign/ledger.h"
#include "measure/campaign/taint.h"
#include "measure/gate/recorded_gate.h"
#include "scenario/plan.h"

#include <algorithm>

namespace tune::gate {

namespace {

// What is refused or wants too much memory says so again.
bool failed_by_itself(const campaign::TrialRecord& record, const std::string& side) {
  const runner::OutcomeKind kind = record.outcome.kind;
  return record.spec.cell == side && !record.outcome.was_killed &&
         (kind == runner::OutcomeKind::crashed || kind == runner::OutcomeKind::timed_out ||
          kind == runner::OutcomeKind::garbled);
}

bool deserves_another(const ProcessRequest& request,
                      const std::vector<campaign::TrialRecord>& trials) {
  const campaign::TrialRecord& failed = trials.back();
  if (failed.outcome.was_killed) {  // perhaps because of a neighbour
    return true;
  }
  const auto fails = [&](const campaign::TrialRecord& record) {
    return failed_by_itself(record, request.side.name);
  };
  return !request.is_judged && fails(failed) &&
         std::count_if(trials.begin(), trials.end(), fails) == 1;
}

ProcessEnd run_once(const ProcessRequest& request,
                    campaign::CampaignResult& run,
                    const GateLoop& loop) {
  if (loop.stopped()) {
    return {.was_interrupted = true};
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
    loop.ledger.check_place();  // before the process's folder would create the directory again
    campaign::make_trial_folder(record.spec.folder);
  }
  record.stage = "gate";
  record.round = request.standpoint.pair;
  record.position = request.position;
  loop.watcher.process_begins(request.standpoint);
  record.outcome = loop.recording != nullptr ? loop.recording->processes.at(request.id).outcome
                                             : loop.run_trial(record.spec);
  if (record.outcome.kind == runner::OutcomeKind::interrupted) {
    return {.was_interrupted = true};
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
  ProcessEnd end{.reply = record.outcome.reply};
  run.trials_failed += end.reply ? 0 : 1;
  run.trials.push_back(std::move(record));
  return end;
}

ProcessEnd run_in_place(const ProcessRequest& request,
                        campaign::CampaignResult& run,
                        const GateLoop& loop) {
  try {
    return run_once(request, run, loop);
  } catch (const Error&) {
    loop.ledger.check_place();  // in a directory that was removed anything may fail
    throw;
  }
}

}  // namespace

ProcessEnd run_process(const ProcessRequest& request,
                       campaign::CampaignResult& run,
                       const GateLoop& loop) {
  ProcessEnd end = run_in_place(request, run, loop);
  if (end.reply || end.was_interrupted || !deserves_another(request, run.trials)) {
    return end;
  }
  ProcessRequest again = request;
  again.id = id_again(request.id);
  const bool can_be_had =  // a recording of before has none
      loop.recording == nullptr || loop.recording->processes.contains(again.id);
  return can_be_had ? run_in_place(again, run, loop) : end;
}

bool baseline_first(std::uint64_t seed, std::int64_t round) {
  const std::int64_t block = (round - 1) / 2;
  const bool coin = (derived_seed(seed, "pairs", block) >> 63) != 0;
  return round % 2 == 1 ? coin : !coin;
}

std::string id_again(const std::string& id) {
  return id + "-again";
}

std::string process_id(std::int64_t pair, const std::string& side, std::int64_t attempt) {
  return "p" + std::string(pair < 10 ? "0" : "") + std::to_string(pair) + "-" + side +
         (attempt == 1 ? "" : "-" + std::to_string(attempt));
}

std::int64_t expected_process_ns(const trial::TrialSpec& spec) {
  const trial::Measure& measure = spec.measure;
  return scenario::start_up_ns(spec.workload, spec.workload.on_gpu()) + measure.warmup_ns +
         measure.slices * measure.slice_ns;
}

std::string nothing_judged_text(const GateResult& result, End how, std::int64_t used_ns) {
  constexpr std::int64_t kMinuteNs = 60'000'000'000;
  const auto pairs = static_cast<std::int64_t>(result.pairs.size());
  const std::int64_t wanted = result.looks.pairs.front();
  const std::string text =
      std::to_string(pairs) + " of " + std::to_string(wanted) + " pairs: before the first look";
  if (how != End::time_cap) {
    return "the recording ends after " + text;
  }
  std::int64_t process_ns = expected_process_ns(result.candidate.spec);
  for (const campaign::TrialRecord& record : result.run.trials) {
    process_ns = std::max(process_ns, record.outcome.end_ns - record.outcome.start_ns);
  }
  const std::int64_t needed_ns = used_ns + 2 * (wanted - pairs) * process_ns;
  return "the time was over after " + text + ", which needs about " +
         format_time((needed_ns / kMinuteNs + 1) * kMinuteNs);
}

}  // namespace tune::gate
