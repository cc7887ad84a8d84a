// What a run answers, as its result.json says it.

#include "report/headline.h"
#include "report/noise_text.h"
#include "report/number_text.h"
#include "report/objective_words.h"
#include "report/result_of.h"

namespace tune::report {

namespace {

using campaign::CampaignResult;
using campaign::CellResult;

constexpr const char* kRateUnit = "samples/s";

bool has_pairs(const CampaignResult& run, const Conclusion& conclusion) {
  return run.confirmation &&
         (conclusion.standing == Standing::faster || conclusion.standing == Standing::not_faster ||
          conclusion.standing == Standing::undecided ||
          conclusion.standing == Standing::too_few_pairs);
}

result::Number missing(const std::string& reason) {
  result::Number number;
  number.reason = reason;
  return number;
}

// Fresh pairs where there are some, else the search or its audit; `window` says which.
result::Side side_of(const CellResult& cell,
                     const stats::Number* confirmed,
                     const std::string& reason) {
  result::Side side{.cell = cell.cell.id,
                    .knobs = setting_of(cell.cell.knobs),
                    .changed = setting_of(cell.cell.changed),
                    .throughput = missing(reason)};
  const stats::Number* source =
      confirmed != nullptr ? confirmed : (cell.throughput ? &*cell.throughput : nullptr);
  if (source != nullptr) {
    side.throughput = number_of(*source, kRateUnit);
    side.window = confirmed != nullptr ? "confirm" : cell.stage;
  }
  return side;
}

result::Best best_of(const CampaignResult& run, const Conclusion& conclusion) {
  if (conclusion.best == nullptr) {
    return {};
  }
  const bool confirmed = has_pairs(run, conclusion);
  const std::string why = "not confirmed: " + conclusion.doubt;
  result::Best best{
      .side = side_of(
          *conclusion.best, confirmed ? &run.confirmation->best : nullptr, conclusion.doubt),
      .gain = missing(why),
      .verdict_reason = why};
  if (confirmed) {
    best.gain = number_of(run.confirmation->gain, "ratio");
    best.pairs = run.confirmation->pairs;
    best.pairs_wanted = run.confirmation->wanted;
    best.verdict = verdict_word(*run.confirmation);
    best.verdict_reason = run.confirmation->why;
  }
  return best;
}

const char* standing_name(Standing standing) {
  switch (standing) {
    case Standing::nothing_measured:
      return "nothing-measured";
    case Standing::baseline_failed:
      return "baseline-failed";
    case Standing::baseline_only:
      return "baseline-only";
    case Standing::provisional:
      return "provisional";
    case Standing::nothing_faster:
      return "nothing-faster";
    case Standing::too_few_pairs:
      return "too-few-pairs";
    case Standing::undecided:
      return "undecided";
    case Standing::not_faster:
      return "not-faster";
    case Standing::faster:
      return "faster";
  }
  return "nothing-measured";
}

result::Summary summary_of(const CampaignResult& run) {
  const Conclusion conclusion = conclude(run);
  result::Summary summary{.headline = headline(run),
                          .standing = standing_name(conclusion.standing),
                          .baseline_reason = conclusion.doubt,
                          .best = best_of(run, conclusion),
                          .best_reason = conclusion.doubt,
                          .trials = {.run = static_cast<std::int64_t>(run.trials.size()),
                                     .failed = run.trials_failed,
                                     .not_steady = run.steadiness.not_steady,
                                     .weak = run.steadiness.weak,
                                     .grid = static_cast<std::int64_t>(run.plan.grid_cells)}};
  if (const CellResult* const baseline = conclusion.baseline; baseline != nullptr) {
    summary.baseline = side_of(*baseline,
                               has_pairs(run, conclusion) ? &run.confirmation->baseline : nullptr,
                               baseline->reason.empty() ? "not measured" : baseline->reason);
  }
  const std::string metric = objective_metric(run.scenario, run.machine.device);
  if (!metric.empty()) {
    const auto value_of = [&](const result::Side& side) {
      const auto value = objective_value(run, side.cell, side.window);
      return value ? number_of(*value, objective_words(metric).unit)
                   : missing("no trial of the setting tells");
    };
    summary.objective = {.metric = metric,
                         .baseline = value_of(summary.baseline),
                         .best = value_of(summary.best.side)};
  }
  return summary;
}

result::Cell cell_of(const CellResult& cell) {
  const bool is_baseline = cell.cell.id == "baseline";
  const std::string reason = cell.reason.empty() ? cell.outcome : cell.reason;
  return {.id = cell.cell.id,
          .knobs = setting_of(cell.cell.knobs),
          .changed = setting_of(cell.cell.changed),
          .outcome = cell.outcome,
          .reason = cell.reason,
          .throughput = cell.throughput ? number_of(*cell.throughput, kRateUnit) : missing(reason),
          .gain = cell.gain
                      ? number_of(*cell.gain, "ratio")
                      : missing(is_baseline ? "the baseline is what gains are measured against"
                                            : reason),
          .rounds = cell.rounds,
          .window = cell.stage,
          .disturbed = cell.disturbed,
          .stalls = cell.stalls,
          .steadiness = steadiness_of(cell.steadiness),
          .broken_constraints = cell.broken_constraints};
}

result::Look look_of(const campaign::LookRecord& look) {
  return {.pairs = look.pairs,
          .alpha = look.alpha,
          .alpha_total = look.alpha_total,
          .lower = finite(look.lower),
          .value = finite(look.value),
          .upper = finite(look.upper),
          .p = look.p,
          .verdict = look.verdict};
}

result::Confirmation confirmation_of(const campaign::Confirmation& row) {
  result::Confirmation entry{
      .cell = row.cell,
      .pairs = row.pairs,
      .verdict = verdict_word(row),
      .why = row.why,
      .gain = row.pairs > 0 ? number_of(row.gain, "ratio") : result::Number(),
      .throughput = row.pairs > 0 ? number_of(row.best, kRateUnit) : result::Number(),
      .search_gain = row.search_gain,
      .position_effect = row.position_effect,
      .losses = row.loss_parity,
      .slices = {.clean = row.slices.clean,
                 .tainted = row.slices.tainted,
                 .baseline_clean = row.baseline_slices.clean,
                 .baseline_tainted = row.baseline_slices.tainted},
      .steadiness = steadiness_of(row.steadiness),
      .baseline_steadiness = steadiness_of(row.baseline_steadiness)};
  for (const campaign::LookRecord& look : row.looks) {
    entry.looks.push_back(look_of(look));
  }
  if (row.form) {
    result::PairForm& form = entry.form.emplace(
        result::PairForm{.applied = row.form->applied.has_value(), .why = row.form->why});
    if (row.form->applied) {
      form.options = row.form->applied->options;
      form.files = row.form->applied->files;
      for (const auto& [name, value] : row.form->applied->environment) {
        form.variables.push_back(name);
        form.variables.back() += "=" + value;
      }
    }
  }
  return entry;
}

// A part of the whole measurement; nothing where that has not been made.
std::optional<double> audit_share(const campaign::Audit& audit,
                                  std::int64_t of_search,
                                  std::int64_t whole) {
  return audit.is_whole && whole > 0
             ? std::optional(static_cast<double>(of_search) / static_cast<double>(whole))
             : std::nullopt;
}

result::Audit audit_of(const campaign::Audit& audit) {
  const auto seconds = [](std::int64_t ns) { return static_cast<double>(ns) * 1e-9; };
  return {.complete = audit.is_whole,
          .rounds = audit.rounds,
          .cells = audit.cells,
          .pick = audit.pick,
          .best = audit.best,
          .found_ratio = audit.found_ratio,
          .found_ratio_reason = audit.reason,
          .trials_ratio = audit_share(audit, audit.search_trials, audit.trials),
          .measured_ratio = audit_share(audit, audit.search_ns, audit.ns),
          .search_trials = audit.search_trials,
          .search_measured_s = seconds(audit.search_ns),
          .trials = audit.trials,
          .trials_missing = audit.trials_missing,
          .measured_s = seconds(audit.ns)};
}

result::Noise noise_of(const campaign::KnownNoise& noise) {
  return {.utc = noise.utc,
          .launches = noise.launches,
          .pair_sd = noise.pair_ratio,
          .mde = noise.detectable_ratio,
          .verdicts = noise.verdicts,
          .alarms = noise.alarms,
          .alarm_bound = noise.most_alarms_ratio};
}

result::Method method_of(const CampaignResult& run) {
  result::Method method{
      .strategy = run.scenario.strategy,
      .search_ended = run.search_ended,
      .audit_reason = "not asked for (--exhaustive)",
      .calibration_reason = run.noise_reason.empty() ? kNoiseNotAsked : run.noise_reason};
  if (run.warmup) {
    method.warmup = {
        .steps = run.warmup->steps, .steady = run.warmup->is_steady, .text = run.warmup->text};
  }
  if (run.audit) {
    method.audit = audit_of(*run.audit);
  }
  if (run.noise) {
    method.calibration = noise_of(*run.noise);
  }
  return method;
}

}  // namespace

result::Number number_of(const stats::Number& estimate, const std::string& unit) {
  result::Number number{
      .value = finite(estimate.value), .n = estimate.n, .unit = unit, .is_there = true};
  if (estimate.lower && estimate.upper && is_finite(estimate)) {
    number.lower = finite(estimate.lower);
    number.upper = finite(estimate.upper);
    number.confidence = estimate.confidence;
  } else {
    number.reason = "no interval: it needs at least 2 values, n = " + std::to_string(estimate.n);
  }
  if (!number.value) {
    number.reason = "the value is not a finite number";
  }
  return number;
}

result::Setting setting_of(const trial::KnobSettings& knobs) {
  return {knobs.begin(), knobs.end()};
}

result::Steadiness steadiness_of(const campaign::SteadyTally& tally) {
  return {.trials = tally.trials,
          .weak = tally.weak,
          .not_steady = tally.not_steady,
          .label = tally.label(),
          .why = tally.text("trials")};
}

void fill_answer(const CampaignResult& run, result::Result& result) {
  result.summary = summary_of(run);
  for (const CellResult& cell : run.cells) {
    result.cells.push_back(cell_of(cell));
  }
  for (const campaign::Confirmation& row : run.confirmations) {
    result.confirmations.push_back(confirmation_of(row));
  }
  result.method = method_of(run);
  for (const scenario::CollapsedKnob& knob : run.plan.collapsed) {
    result.collapsed.push_back(
        {.knob = knob.knob, .reason = knob.reason, .cells = static_cast<std::int64_t>(knob.cells)});
  }
  for (const scenario::ForbiddenCells& forbidden : run.plan.forbidden) {
    result.forbidden.push_back(
        {.expression = forbidden.text, .cells = static_cast<std::int64_t>(forbidden.cells)});
  }
}

}  // namespace tune::report
