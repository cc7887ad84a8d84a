#include "campaign/run_diagnosis.h"

#include "campaign/campaign_result.h"
#include "campaign/trial_facts.h"
#include "rule/trace_facts.h"
#include "stats/median.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

namespace tune::campaign {

namespace {

using advice::MeasuredGain;
using advice::Recommendation;
using expression::Value;

bool has_measured(const TrialRecord& record) {
  return record.spec.cell == "baseline" && record.outcome.kind == runner::OutcomeKind::completed &&
         record.outcome.reply && !record.outcome.reply->slices.empty();
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

const CellResult* find_cell(const CampaignResult& result, const std::string& id) {
  const auto found = std::find_if(result.cells.begin(),
                                  result.cells.end(),
                                  [&](const CellResult& cell) { return cell.cell.id == id; });
  return found == result.cells.end() ? nullptr : &*found;
}

/// The best of the cells that differ from the baseline in this knob alone.
struct OneKnobGain {
  trial::KnobValue value;
  double gain = 0;
};

std::optional<OneKnobGain> best_of_one_knob(const CampaignResult& result, const std::string& knob) {
  std::optional<OneKnobGain> best;
  for (const CellResult& cell : result.cells) {
    const bool is_it = cell.cell.changed.size() == 1 && cell.cell.changed.contains(knob);
    if (is_it && cell.gain && std::isfinite(cell.gain->value) &&
        (!best || cell.gain->value > best->gain)) {
      best = OneKnobGain{cell.cell.changed.at(knob), cell.gain->value};
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
  if (const auto batch = best_of_one_knob(result, "batch_size")) {
    set("batch_gain_ratio", std::max(0.0, batch->gain));
  }
}

// Medians over the trials of the baseline.
void add_telemetry(const CampaignResult& result, rule::FactTable& facts) {
  for (const telemetry::CellTelemetry& cell : result.telemetry) {
    if (cell.cell != "baseline") {
      continue;
    }
    std::vector<metric::Metric> metrics;
    metrics.reserve(cell.metrics.size());
    for (const telemetry::CellMetric& seen : cell.metrics) {
      metrics.push_back(seen.values.empty()
                            ? metric::not_applicable(seen.id, seen.unit, seen.reason)
                            : metric::Metric{.id = seen.id,
                                             .unit = seen.unit,
                                             .value = stats::median(seen.values)});
    }
    rule::add_metrics(metrics, "telemetry of " + cell.stage, "measure", facts);
  }
}

// The cell that is the baseline with exactly these knobs changed; "" where the grid has none.
std::string cell_of(const CampaignResult& result, const Recommendation& recommendation) {
  trial::KnobSettings changed;
  for (const advice::ProposedKnob& knob : recommendation.knobs) {
    if (!knob.to) {
      return "";
    }
    changed[knob.name] = *knob.to;
  }
  for (const scenario::Cell& cell : result.plan.cells) {
    if (!changed.empty() && cell.changed == changed) {
      return cell.id;
    }
  }
  return "";
}

std::optional<MeasuredGain> measured_gain(const CampaignResult& result, const std::string& cell) {
  for (const Confirmation& row : result.confirmations) {
    if (row.cell == cell && row.pairs > 0 && row.gain.lower && row.gain.upper &&
        !row.verdict.empty()) {
      return MeasuredGain{.value = row.gain.value,
                          .lower = *row.gain.lower,
                          .upper = *row.gain.upper,
                          .pairs = row.pairs,
                          .verdict = row.verdict == "confirmed" ? MeasuredGain::Verdict::confirmed
                                     : row.verdict == "refuted" ? MeasuredGain::Verdict::refuted
                                                                : MeasuredGain::Verdict::ambiguous};
    }
  }
  return std::nullopt;
}

std::string gain_text(double gain) {
  std::array<char, 32> text{};
  (void)std::snprintf(text.data(), text.size(), "%+.1f %%", gain * 100);
  return text.data();
}

// What would measure it: pairs of the baseline with and without the change.
std::string gate_command(const CampaignResult& result, const Recommendation& recommendation) {
  std::string command = "tune gate " + result.scenario.file.filename().string();
  for (const advice::ProposedKnob& knob : recommendation.knobs) {
    command += " --set " + knob.name + "=" + trial::to_text(*knob.to);
  }
  return command;
}

std::string why_unmeasured(const CampaignResult& result, const Recommendation& recommendation) {
  if (recommendation.knobs.empty()) {
    return "a change of code: run its scenario again afterwards";
  }
  for (const advice::ProposedKnob& knob : recommendation.knobs) {
    if (!knob.to) {
      return "the value of " + knob.name + " is not known: " + knob.reason;
    }
  }
  const std::string cell = cell_of(result, recommendation);
  const CellResult* const found = cell.empty() ? nullptr : find_cell(result, cell);
  if (found == nullptr) {
    return "the grid has no cell with this change alone; it would be measured by: " +
           gate_command(result, recommendation);
  }
  std::string text = "cell " + cell;
  if (found->gain && std::isfinite(found->gain->value)) {
    text += " gave " + gain_text(found->gain->value) + " in " + std::to_string(found->gain->n) +
            " rounds of the search, not in fresh pairs";
  } else {
    text += " was not measured";
  }
  return text + "; fresh pairs: " + gate_command(result, recommendation);
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
  const ProfiledCell* const profile = baseline_profile(result);
  if (profile != nullptr) {
    rule::add_metrics(profile->trace->metrics, "trial " + profile->trial, "profile", facts);
  }
  add_trial_facts(*trial, result.machine, facts);
  add_telemetry(result, facts);
  add_sweeps(result, facts);
  RunDiagnosis found;
  found.catalog = std::move(catalog);
  found.limits = limit_use(probe, {trial->spec, profile}, facts);
  found.diagnosis = advice::diagnose(*found.catalog, std::move(facts));
  found.trial = trial->spec.id;
  for (Recommendation& recommendation : found.diagnosis.recommendations) {
    const std::string cell = cell_of(result, recommendation);
    recommendation.measured = cell.empty() ? std::nullopt : measured_gain(result, cell);
  }
  advice::rank(found.diagnosis.recommendations, {});
  for (Recommendation& recommendation : found.diagnosis.recommendations) {
    recommendation.unmeasured =
        recommendation.measured ? "" : why_unmeasured(result, recommendation);
  }
  return found;
}

}  // namespace tune::campaign
