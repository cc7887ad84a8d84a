#include "measure/campaign/run_diagnosis.h"

#include "advice/rule/trace_facts.h"
#include "measure/campaign/campaign_result.h"
#include "measure/campaign/ceiling.h"
#include "measure/campaign/measured_facts.h"
#include "measure/campaign/objective.h"
#include "measure/campaign/proposal.h"
#include "measure/campaign/regression_facts.h"
#include "measure/campaign/telemetry_facts.h"
#include "measure/campaign/trial_facts.h"
#include "measure/campaign/verification.h"
#include "measure/campaign/window_facts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <utility>

namespace tune::campaign {

namespace {

using advice::MeasuredGain;
using advice::Recommendation;
using expression::Value;

bool has_measured(const TrialRecord& record) {
  return record.spec.cell == "baseline" && record.stage != "ceiling" &&
         record.outcome.kind == runner::OutcomeKind::completed && record.outcome.reply &&
         !record.outcome.reply->slices.empty();
}

const ProfiledCell* baseline_profile(const CampaignResult& result) {
  const auto found =
      std::find_if(result.profiles.begin(), result.profiles.end(), [](const ProfiledCell& cell) {
        return cell.cell == "baseline" && cell.trace;
      });
  return found == result.profiles.end() ? nullptr : &*found;
}

const TrialRecord* baseline_trial(const CampaignResult& result) {
  const ProfiledCell* const profile = baseline_profile(result);
  const TrialRecord* best = nullptr;
  for (const TrialRecord& record : result.trials) {
    if (!has_measured(record)) {
      continue;
    }
    if (profile != nullptr && record.spec.id == profile->trial) {
      return &record;
    }
    best = &record;  // the newest
  }
  return best;
}

// Those whose numbers the report shows; before the search only the trial itself.
std::vector<const TrialRecord*> measured_trials(const CampaignResult& result,
                                                const TrialRecord& trial) {
  const CellResult* const baseline = result.find_cell(trial.spec.cell);
  auto trials = baseline == nullptr ? std::vector{&trial} : window_trials(result, *baseline);
  trials.erase(
      std::remove_if(trials.begin(),
                     trials.end(),
                     [](const TrialRecord* each) { return each->outcome.reply->slices.empty(); }),
      trials.end());
  return trials.empty() ? std::vector{&trial} : trials;
}

/// The best of the cells that differ from the baseline in this knob alone and break no constraint;
/// `only_larger`: of those in which it is larger.
struct OneKnobGain {
  trial::KnobValue value;
  double gain = 0;
};

std::optional<OneKnobGain> best_of_one_knob(const CampaignResult& result,
                                            const std::string& knob,
                                            bool only_larger = false) {
  std::optional<OneKnobGain> best;
  for (const CellResult& cell : result.cells) {
    const bool is_it =
        cell.broken_constraints.empty() && cell.cell.changed.size() == 1 &&
        cell.cell.changed.contains(knob) &&
        (!only_larger || cell.cell.changed.at(knob) > result.scenario.baseline.at(knob));
    if (is_it && cell.gain && std::isfinite(*cell.gain->value) &&
        (!best || *cell.gain->value > best->gain)) {
      best = OneKnobGain{cell.cell.changed.at(knob), *cell.gain->value};
    }
  }
  return best;
}

void add_sweeps(const CampaignResult& result, rule::FactTable& facts) {
  const auto set = [&](const char* name, double value) {
    facts.set(name, {.result = Value::of(value), .source = "search", .window = "measure"});
  };
  if (const auto threads = best_of_one_knob(result, "intra_op_threads")) {
    set("thread_gain_ratio", std::max(0.0, threads->gain));
    if (const auto* const count = std::get_if<std::int64_t>(&threads->value)) {
      set("best_intra_op_threads", static_cast<double>(*count));
    }
  }
  if (const auto batch = best_of_one_knob(result, "batch_size", true)) {
    set("batch_gain_ratio", std::max(0.0, batch->gain));
  }
}

// CPU time that a sample took a thread of the loader, in the newest trial of the cell.
std::optional<double> sample_cpu_s(const CampaignResult& result, const std::string& cell) {
  for (auto record = result.trials.rbegin(); record != result.trials.rend(); ++record) {
    const bool counts = record->spec.cell == cell && record->stage != "ceiling" &&
                        record->outcome.kind == runner::OutcomeKind::completed &&
                        record->outcome.reply;
    const trial::LoaderReport* const loader = counts ? &record->outcome.reply->loader : nullptr;
    if (loader != nullptr && loader->samples > 0 && loader->decode_ns > 0) {
      return static_cast<double>(loader->read_ns + loader->decode_ns + loader->resize_ns) /
             static_cast<double>(loader->samples);
    }
  }
  return std::nullopt;
}

// Workers that share caches and siblings of cores slow one another down: against one worker alone.
void add_slowdown(const CampaignResult& result, rule::FactTable& facts) {
  const trial::KnobSettings one = {{"num_workers", std::int64_t{1}}};
  const auto alone = cell_with(result.plan, one);
  const auto few = alone ? sample_cpu_s(result, result.plan.cells[*alone].id) : std::nullopt;
  const auto many = sample_cpu_s(result, "baseline");
  facts.set("cpu_op_slowdown_ratio",
            {.result = few && many ? expression::Result(Value::of(*many / *few - 1))
                                   : expression::Result(expression::Unknown{
                                         "no cell differs from the baseline in num_workers 1 "
                                         "alone, or it decodes nothing"}),
             .source = "search",
             .window = "measure"});
}

// Whether two recordings of the baseline ran the same kernels.
void add_kernel_sets(const ProfiledCell* profile, rule::FactTable& facts) {
  expression::Result distance = expression::Unknown{"the steps of two trials were not recorded"};
  std::vector<rule::Example> differing;
  if (profile != nullptr && profile->kernels) {
    const KernelSets& sets = *profile->kernels;
    distance = sets.distance ? expression::Result(Value::of(*sets.distance))
                             : expression::Result(expression::Unknown{sets.reason});
    for (const std::string& name : sets.differing) {
      differing.push_back({.name = name});
    }
  }
  facts.set("kernel_set_distance",
            {.result = std::move(distance),
             .source = "recorded steps of two trials",
             .examples = std::move(differing)});
}

// The cell that is the baseline with exactly this change; "" where the grid has none.
std::string cell_of(const CampaignResult& result, const Recommendation& recommendation) {
  const auto cell = cell_with(result.plan, change_of(recommendation));
  return cell ? result.plan.cells[*cell].id : "";
}

// The gain from the confirmation, else from the ladder.
std::optional<MeasuredGain> measured_gain(const CampaignResult& result, const std::string& cell) {
  if (cell.empty()) {
    return std::nullopt;
  }
  for (const Confirmation& row : result.confirmations) {
    if (auto gain = row.cell == cell ? gain_with_verdict(row) : std::nullopt) {
      return gain;
    }
  }
  for (const LadderRung& rung : result.ladder) {
    if (auto gain =
            rung.cell == cell && rung.pairs ? gain_with_verdict(*rung.pairs) : std::nullopt) {
      return gain;
    }
  }
  return std::nullopt;
}

// As it was before anything of it was measured; the search may have taught the rules since.
void keep_first_prediction(const CampaignResult& result, Recommendation& recommendation) {
  if (!result.proposals) {
    return;
  }
  for (const Proposal& proposal : result.proposals->list) {
    if (proposal.rule == recommendation.rule->id && proposal.lower && proposal.upper &&
        proposal.knobs == change_of(recommendation)) {
      recommendation.predicted.lower = proposal.lower;
      recommendation.predicted.upper = proposal.upper;
    }
  }
}

std::string gain_text(double gain) {
  std::array<char, 32> text{};
  (void)std::snprintf(text.data(), text.size(), "%+.1f %%", gain * 100);
  return text.data();
}

// What would measure it: pairs of the baseline with and without the change.
std::string verify_command(const Recommendation& recommendation) {
  return "tune verify " + recommendation.rule->id;
}

// As it was noted when the rules were first asked, where they were.
std::string why_no_cell(const CampaignResult& result, const Recommendation& recommendation) {
  if (result.proposals) {
    for (const Proposal& proposal : result.proposals->list) {
      if (proposal.rule == recommendation.rule->id && !proposal.outside.empty() &&
          proposal.knobs == change_of(recommendation)) {
        return "predicted only: " + proposal.outside;
      }
    }
  }
  return "predicted only: the grid has no cell with this change alone";
}

// "amp bf16 was ignored: nothing in this script takes it", as a trial of the cell says; "" where
// all of its settings were in effect.
std::string why_ignored(const CampaignResult& result, const CellResult& cell) {
  for (const TrialRecord& trial : result.trials) {
    if (trial.spec.cell != cell.cell.id || !trial.outcome.reply) {
      continue;
    }
    for (const trial::IgnoredKnob& ignored : trial.outcome.reply->ignored_knobs) {
      const auto changed = cell.cell.changed.find(ignored.name);
      if (changed != cell.cell.changed.end()) {
        return ignored.name + " " + trial::to_text(changed->second) +
               " was ignored: " + ignored.reason;
      }
    }
  }
  return "";
}

std::string why_unmeasured(const CampaignResult& result, const Recommendation& recommendation) {
  if (recommendation.knobs.empty() && !recommendation.rule->change.environment.empty()) {
    return "variables of the environment, which tune launch measures";
  }
  if (recommendation.knobs.empty()) {
    return "a change of code: run its scenario again afterwards";
  }
  for (const advice::ProposedKnob& knob : recommendation.knobs) {
    if (!knob.to) {
      return "the value of " + knob.name + " is not known: " + knob.reason;
    }
  }
  const bool is_ruled_out = !recommendation.broken_constraints.empty();
  if (const Verification* const tried =
          find_verification(result.verifications, change_of(recommendation))) {
    return is_ruled_out ? tried->reason
                        : tried->reason + "; fresh pairs: " + verify_command(recommendation);
  }
  const std::string cell = cell_of(result, recommendation);
  const CellResult* const found = result.find_cell(cell);
  if (found == nullptr) {
    return why_no_cell(result, recommendation) +
           "; it would be measured by: " + verify_command(recommendation);
  }
  if (std::string why = why_ignored(result, *found); !why.empty()) {
    return why;  // more trials would tell no more
  }
  std::string text = trial::to_text(found->cell.changed);
  const bool is_measured = found->gain && std::isfinite(*found->gain->value);
  if (is_measured) {
    text += " gave " + gain_text(*found->gain->value) + " in " + std::to_string(found->gain->n) +
            (found->gain->n == 1 ? " round" : " rounds") + " of the search";
  }
  if (is_ruled_out) {
    return text + (is_measured ? ", but " : " ") + constraint_text(found->broken_constraints);
  }
  return text + (is_measured ? ", not in fresh pairs" : " was not measured") +
         "; fresh pairs: " + verify_command(recommendation);
}

// What has been verified since takes another place; its number stays, for somebody has read it.
void rank_verified(const CampaignResult& result, std::vector<Recommendation>& recommendations) {
  if (!add_verified_gains(result.verifications, recommendations)) {
    return;
  }
  std::map<std::string, std::string> numbers;
  for (const Recommendation& recommendation : recommendations) {
    numbers[recommendation.rule->id] = recommendation.id;
  }
  advice::rank(recommendations, advice::hit_rates(result.earlier.predictions));
  for (Recommendation& recommendation : recommendations) {
    recommendation.id = numbers.at(recommendation.rule->id);
  }
}

}  // namespace

std::optional<RunDiagnosis> diagnose_run(const CampaignResult& result,
                                         std::shared_ptr<const rule::Catalog> catalog,
                                         const StoredProbe& probe) {
  const TrialRecord* const trial = baseline_trial(result);
  if (trial == nullptr) {
    return std::nullopt;
  }
  rule::FactTable facts;
  facts.explain_missing(rule::Origin::trial, "the trials of this run do not measure it");
  const ProfiledCell* const profile = baseline_profile(result);
  if (profile != nullptr) {
    rule::add_metrics(profile->trace->metrics, "trial " + profile->trial, "profile", facts);
  }
  add_kernel_sets(profile, facts);
  add_trial_facts(*trial, measured_trials(result, *trial), result.machine, facts);
  if (trial->outcome.reply) {
    add_ranks(*trial->outcome.reply, "trial " + trial->spec.id, facts);
  }
  add_telemetry_facts(result.telemetry, facts);
  add_sweeps(result, facts);
  add_slowdown(result, facts);
  add_history_facts(result.history, facts);
  add_ceiling_facts(result.ceilings, facts);
  RunDiagnosis found;
  found.catalog = std::move(catalog);
  add_unprobed(probe, facts);
  found.limits = limit_use(probe, {trial->spec, profile}, facts);
  found.diagnosis = advice::diagnose(*found.catalog, std::move(facts));
  found.trial = trial->spec.id;
  for (Recommendation& recommendation : found.diagnosis.recommendations) {
    const std::string cell = cell_of(result, recommendation);
    recommendation.measured = measured_gain(result, cell);
    if (const CellResult* const measured = result.find_cell(cell)) {
      advice::note_broken_constraints(recommendation, measured->broken_constraints);
      recommendation.seen = measured->gain ? measured->gain->value : std::nullopt;
    }
    keep_first_prediction(result, recommendation);
  }
  advice::rank(found.diagnosis.recommendations, advice::hit_rates(result.earlier.predictions));
  rank_verified(result, found.diagnosis.recommendations);
  for (Recommendation& recommendation : found.diagnosis.recommendations) {
    recommendation.unmeasured =
        recommendation.measured ? "" : why_unmeasured(result, recommendation);
  }
  return found;
}

}  // namespace tune::campaign
