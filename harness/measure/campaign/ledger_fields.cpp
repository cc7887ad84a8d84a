#include "base/fields.h"
#include "measure/campaign/ledger_record.h"
#include "measure/campaign/pair_form.h"
#include "measure/runner/output_log.h"
#include "trial/environment_knob.h"
#include "trial/knob_catalog.h"
#include "trial/knob_json.h"
#include "trial/trial_spec.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace tune::campaign {

namespace {

// Chosen so that no sum of what an honest ledger holds overflows.
constexpr Range kCount = {0, 1'000'000'000'000};
constexpr Range kMoment = {0, 1'000'000'000'000'000'000};  // CLOCK_MONOTONIC: 30 years
// One that would not die is waited for, however long it takes.
constexpr std::int64_t kLatestEndNs = 30 * trial::kLongestTrialNs;
constexpr std::int64_t kMostAttempts = 1000;
constexpr std::size_t kMostTrials = 1'000'000, kMostNames = 1'000, kMostShards = 10'000;
constexpr std::size_t kMostProposals = 1'000;
constexpr std::size_t kLongestScenario = 1 << 20;
constexpr std::size_t kLongestTail = kLongestLedgerText;
constexpr std::size_t kWrittenTail = kLongestTail / 3;
constexpr std::size_t kWrittenWord = 1024;

// Those of the catalogue, and the user's own that the header has.
void knob_names_of(Fields& fields, std::vector<std::string>& names) {
  std::vector<std::string> all;
  if (fields.writes()) {
    for (const trial::Knob& knob : trial::all_knobs()) {
      all.push_back(knob.name);
    }
    std::copy_if(names.begin(), names.end(), std::back_inserter(all), [](const std::string& name) {
      return trial::is_knob_of_the_user(name);
    });
  }
  fields.text_list("knobs", all, kMostNames);
  if (fields.reads()) {
    names = std::move(all);
  }
}

std::vector<std::string_view> stages_of(LedgerOf whose) {
  if (whose == LedgerOf::gate) {
    return {"gate"};
  }
  return {"warmup", "diagnose", "ceiling", "search", "audit", "confirm", "ladder", "epoch"};
}

void outcome_of(Fields& fields, runner::OutcomeKind& kind) {
  std::string word(runner::name(kind));
  fields.text("outcome", word);
  const auto parsed = runner::parse_outcome_kind(word);
  fields.expect(parsed && *parsed != runner::OutcomeKind::interrupted,
                "outcome",
                "is '" + runner::printable(word) + "', which ends no trial");
  kind = parsed.value_or(kind);
}

void arrivals_of(Fields& fields, std::vector<runner::PhaseArrival>& arrivals) {
  fields.list("arrivals", arrivals, 1000, [](Fields& entry, runner::PhaseArrival& arrival) {
    entry.cut_text("phase", arrival.phase, 64);
    entry.whole("seen_ns", arrival.seen_ns, kMoment);
    entry.whole("worker_ns", arrival.worker_ns, kMoment);
  });
}

void gain_of(Fields& fields, const char* name, std::optional<double>& gain) {
  constexpr double kLargestGain = 1e6;
  std::optional<double> kept = gain;
  if (kept && fields.writes()) {
    kept =
        std::isfinite(*kept) ? std::optional(std::clamp(*kept, -1.0, kLargestGain)) : std::nullopt;
  }
  fields.real(name, kept, -1, kLargestGain);
  if (fields.reads()) {
    gain = kept;
  }
}

void knob_of(Fields& fields, std::pair<std::string, trial::KnobValue>& knob) {
  fields.text("name", knob.first);
  const trial::Knob* const known = trial::find_knob(knob.first);
  fields.expect(
      known != nullptr, "name", "is '" + runner::printable(knob.first) + "', which is not a knob");
  trial::value_of(fields, "value", knob.second);
  if (known != nullptr) {
    const std::string complaint = trial::complaint_about(*known, knob.second);
    fields.expect(complaint.empty(), "value", complaint);
  }
}

void proposal_of(Fields& fields, Proposal& proposal) {
  fields.text("rule", proposal.rule);
  std::vector<std::pair<std::string, trial::KnobValue>> knobs(proposal.knobs.begin(),
                                                              proposal.knobs.end());
  fields.list("knobs", knobs, kMostProposals, knob_of);
  gain_of(fields, "lower", proposal.lower);
  gain_of(fields, "upper", proposal.upper);
  fields.cut_text("outside", proposal.outside, kWrittenTail, kLongestTail);
  if (fields.reads()) {
    for (auto& [name, value] : knobs) {
      proposal.knobs[name] = std::move(value);
    }
  }
}

}  // namespace

void origin_of(Fields& fields, LedgerHeader& header) {
  fields.text("tune", header.tune_version);
  fields.text("commit", header.commit);
  fields.whole("protocol", header.protocol, {0, 1'000'000});
  fields.object("scenario", [&](Fields& scenario) {
    scenario.text("file", header.scenario_file);
    scenario.text("text", header.scenario_text, kLongestScenario);
    scenario.text("sha256", header.scenario_sha256);
  });
  fields.seed("seed", header.seed);
  fields.record("machine", header.machine);
  fields.cut_text_list("command", header.command, kWrittenWord, kMostTrials);
  fields.text("started_utc", header.started_utc);
}

void fields_of(Fields& fields, JoinedShard& shard) {
  fields.cut_text("directory", shard.directory, kWrittenWord);
  fields.text("started_utc", shard.started_utc);
  fields.seed("seed", shard.seed);
  fields.record("machine", shard.machine);
}

void fields_of(Fields& fields, LedgerHeader& header) {
  fields.schema(kLedgerSchema);
  origin_of(fields, header);
  fields.text_list("overrides", header.overrides, kMostTrials);
  fields.text("plan_sha256", header.plan_sha256);
  if (fields.has("knobs")) {
    knob_names_of(fields, header.knobs);
  }
  fields.record("data", header.data);
  if (fields.has("model_sha256", !header.model_sha256.empty())) {
    fields.text("model_sha256", header.model_sha256, 64);
  }
  fields.object("worker", [&](Fields& worker) {
    worker.text("path", header.worker);
    worker.text("sha256", header.worker_sha256);
  });
  if (fields.has("shards", !header.shards.empty())) {
    fields.list("shards", header.shards, kMostShards);
  }
}

void trial_of(Fields& fields, LoggedTrial& trial, LedgerOf whose) {
  runner::TrialOutcome& outcome = trial.outcome;
  fields.text("id", trial.id);
  fields.word("stage", trial.stage, stages_of(whose));
  fields.text("cell", trial.cell);
  fields.whole("round", trial.round, {whose == LedgerOf::gate ? 0 : 1, 1'000'000'000});
  fields.whole("position", trial.position, kCount);
  if (fields.has("attempt")) {
    fields.whole("attempt", trial.attempt, {1, kMostAttempts});
  }
  fields.whole("timeout_ns", trial.timeout_ns, {0, trial::kLongestTrialNs});
  outcome_of(fields, outcome.kind);
  if (fields.has("killed", outcome.was_killed)) {
    fields.flag("killed", outcome.was_killed);
  }
  fields.cut_text("reason", outcome.reason, kWrittenTail, kLongestTail);
  fields.cut_text("phase", outcome.phase, kWrittenWord);
  fields.cut_text("stderr_tail", outcome.stderr_tail, kWrittenTail, kLongestTail);
  fields.whole("start_ns", outcome.start_ns, kMoment);
  fields.whole("end_ns", outcome.end_ns, {outcome.start_ns, outcome.start_ns + kLatestEndNs});
  arrivals_of(fields, outcome.arrivals);
  if (fields.has("device_joules", outcome.device_joules.has_value())) {
    constexpr double kMostJoules = 1e15;
    double joules = outcome.device_joules.value_or(0);
    fields.real("device_joules", joules, 0, kMostJoules);
    outcome.device_joules = joules;
  }
  if (fields.has("removed_variables", !outcome.removed_variables.empty())) {
    fields.cut_text_list("removed_variables", outcome.removed_variables, kWrittenWord, 100);
  }
  fields.text_or_null("reply", trial.reply);
  fields.expect(trial.reply.empty() == (outcome.kind != runner::OutcomeKind::completed),
                "reply",
                "does not go with the outcome");
}

void sitting_start_of(Fields& fields, Sitting& sitting, std::int64_t shards) {
  fields.text("utc", sitting.started_utc);
  fields.whole("monotonic_ns", sitting.start_ns, kMoment);
  std::optional<std::int64_t> budget_ns = sitting.budget_ns;
  if (budget_ns && fields.writes()) {  // of a verification: what is left, and what it has used
    budget_ns = std::min(*budget_ns, trial::kLongestCampaignNs);
  }
  fields.whole("budget_ns", budget_ns, {0, trial::kLongestCampaignNs});
  if (fields.reads()) {
    sitting.budget_ns = budget_ns;
  }
  if (fields.has("host", !sitting.host.empty())) {
    fields.cut_text("host", sitting.host, 85, 256);
  }
  if (fields.has("shard", sitting.shard > 0)) {
    fields.whole("shard", sitting.shard, {1, shards});
  }
}

void sitting_end_of(Fields& fields, Sitting& sitting) {
  std::int64_t end_ns = sitting.end_ns.value_or(0);
  fields.whole("monotonic_ns", end_ns, kMoment);
  fields.text("reason", sitting.end_reason);
  if (fields.reads()) {
    sitting.end_ns = end_ns;
  }
}

void fields_of(Fields& fields, ForgottenTrial& trial) {
  fields.text("id", trial.id);
  fields.cut_text("damage", trial.damage, kWrittenTail, kLongestTail);
}

void fields_of(Fields& fields, Proposals& proposals) {
  fields.cut_text("reason", proposals.reason, kWrittenTail, kLongestTail);
  fields.list("proposals", proposals.list, kMostProposals, proposal_of);
}

std::string ledger_line(const char* event, nlohmann::ordered_json line) {
  line["event"] = event;
  return sorted_json_text(line);  // worker output may hold any bytes: no reason to lose a line
}

std::string to_line(const LedgerHeader& header) {
  return ledger_line("header", to_value(header));
}

std::string to_line(const LoggedTrial& trial) {
  return ledger_line("trial", to_value(trial, [](Fields& fields, LoggedTrial& same) {
                       trial_of(fields, same, LedgerOf::campaign);
                     }));
}

std::string to_line(const ForgottenTrial& trial) {
  return ledger_line("forget", to_value(trial));
}

std::string to_line(const Proposals& proposals) {
  return ledger_line("proposals", to_value(proposals));
}

std::string to_line(const PairForm& form) {
  return ledger_line("form", to_value(form));
}

std::string sitting_start_line(const Sitting& sitting) {
  return ledger_line("sitting-start", to_value(sitting, [](Fields& fields, Sitting& same) {
                       sitting_start_of(fields, same, same.shard);
                     }));
}

std::string sitting_end_line(const Sitting& sitting) {
  return ledger_line("sitting-end", to_value(sitting, sitting_end_of));
}

}  // namespace tune::campaign
