#include "result/answer.h"

#include "base/fields.h"
#include "base/text.h"

#include <algorithm>

namespace tune::result {

static void fields_of(Fields& fields, Side& side) {
  fields.text("cell", side.cell);
  setting(fields, "knobs", side.knobs);
  setting(fields, "changed", side.changed);
  number_or_reason(fields, "throughput", side.throughput);
  fields.text_or_null("window", side.window);
}

static void fields_of(Fields& fields, Best& best) {
  fields_of(fields, best.side);
  fields.reasoned("gain", best.gain.is_there, best.gain.reason, [&best](Fields& gain) {
    fields_of(gain, best.gain);
    gain.whole("pairs", best.pairs);
    gain.whole("pairs_wanted", best.pairs_wanted);
    if (gain.stored() != nullptr) {
      best.gain.n = std::max(best.gain.n, best.pairs);
    }
  });
  fields.text_or_reason("verdict", best.verdict, best.verdict_reason);
}

static void fields_of(Fields& fields, TrialCounts& trials) {
  fields.whole("run", trials.run);
  fields.whole("failed", trials.failed);
  fields.whole_if_any("not_steady", trials.not_steady);
  fields.whole_if_any("weak", trials.weak);
  fields.whole("grid", trials.grid);
}

static void fields_of(Fields& fields, Objective& objective) {
  fields.text("metric", objective.metric);
  number_or_reason(fields, "baseline", objective.baseline);
  number_or_reason(fields, "best", objective.best);
}

void fields_of(Fields& fields, Summary& summary) {
  fields.text("headline", summary.headline);
  fields.text("standing", summary.standing);
  const auto one_side = [&fields](
                            const char* name, auto& side, const Side& named, std::string& reason) {
    bool is_there = !named.cell.empty();
    fields.reasoned(name, is_there, reason, [&side](Fields& inner) { fields_of(inner, side); });
  };
  one_side("baseline", summary.baseline, summary.baseline, summary.baseline_reason);
  one_side("best", summary.best, summary.best.side, summary.best_reason);
  fields.record("trials", summary.trials);
  fields.record_if_any("objective", summary.objective);
}

void fields_of(Fields& fields, Steadiness& steadiness) {
  fields.whole("trials", steadiness.trials);
  fields.whole("weak", steadiness.weak);
  fields.whole("not_steady", steadiness.not_steady);
  fields.text_or_null("label", steadiness.label);
  fields.text_or_null("why", steadiness.why);
}

void fields_of(Fields& fields, Cell& cell) {
  fields.text("id", cell.id);
  setting(fields, "knobs", cell.knobs);
  uncut_setting(fields, "changed", cell.changed);
  fields.text("outcome", cell.outcome);
  fields.text_or_null("reason", cell.reason);
  number_or_reason(fields, "throughput", cell.throughput);
  number_or_reason(fields, "gain", cell.gain);
  fields.whole("rounds", cell.rounds);
  fields.text("window", cell.window);
  fields.flag("disturbed", cell.disturbed);
  fields.flag("stalls", cell.stalls);
  fields.record("steadiness", cell.steadiness);
  fields.text_list("broken_constraints", cell.broken_constraints);
}

std::string setting_text(const Cell& cell) {
  constexpr std::size_t kLongest = 9'997;
  return shortened_distinctly(cell.changed.empty() ? cell.id : setting_text(cell.changed),
                              kLongest);
}

static void fields_of(Fields& fields, Look& look) {
  fields.whole("pairs", look.pairs);
  fields.real("alpha", look.alpha);
  fields.real("alpha_total", look.alpha_total);
  fields.real("lower", look.lower);
  fields.real("value", look.value);
  fields.real("upper", look.upper);
  fields.real("p", look.p);
  fields.text("verdict", look.verdict);
}

static void fields_of(Fields& fields, SliceCounts& slices) {
  fields.whole("clean", slices.clean);
  fields.whole("tainted", slices.tainted);
  fields.whole("baseline_clean", slices.baseline_clean);
  fields.whole("baseline_tainted", slices.baseline_tainted);
}

static void fields_of(Fields& fields, PairForm& form) {
  fields.flag("applied", form.applied);
  fields.text_or_null("why", form.why);
  fields.text_list("options", form.options);
  fields.text_list("variables", form.variables);
  fields.text_list("files", form.files);
}

void fields_of(Fields& fields, Confirmation& confirmation) {
  fields.text("cell", confirmation.cell);
  fields.whole("pairs", confirmation.pairs);
  fields.text_or_null("verdict", confirmation.verdict);
  fields.text_or_null("why", confirmation.why);
  number_or_null(fields, "gain", confirmation.gain);
  number_or_null(fields, "throughput", confirmation.throughput);
  fields.real("search_gain", confirmation.search_gain);
  fields.real("position_effect", confirmation.position_effect);
  fields.text_or_null("losses", confirmation.losses);
  fields.record("slices", confirmation.slices);
  fields.object("steadiness", [&confirmation](Fields& steadiness) {
    steadiness.record("setting", confirmation.steadiness);
    steadiness.record("baseline", confirmation.baseline_steadiness);
  });
  fields.list("looks", confirmation.looks);
  fields.record_if_any("form", confirmation.form);
}

static void fields_of(Fields& fields, Warmup& warmup) {
  fields.whole("steps", warmup.steps);
  fields.flag("steady", warmup.steady);
  fields.text("text", warmup.text);
}

static void fields_of(Fields& fields, Audit& audit) {
  fields.flag("complete", audit.complete);
  fields.whole("rounds", audit.rounds);
  fields.whole("cells", audit.cells);
  fields.text_or_null("pick", audit.pick);
  fields.text_or_null("best", audit.best);
  fields.real_or_reason("found_ratio", audit.found_ratio, audit.found_ratio_reason);
  fields.real("trials_ratio", audit.trials_ratio);
  fields.real("measured_ratio", audit.measured_ratio);
  fields.whole("search_trials", audit.search_trials);
  fields.real("search_measured_s", audit.search_measured_s);
  fields.whole("trials", audit.trials);
  fields.whole("trials_missing", audit.trials_missing);
  fields.real("measured_s", audit.measured_s);
}

static void fields_of(Fields& fields, Noise& noise) {
  fields.text("utc", noise.utc);
  fields.whole("launches", noise.launches);
  fields.real("pair_sd", noise.pair_sd);
  fields.real("mde", noise.mde);
  fields.whole("verdicts", noise.verdicts);
  fields.whole("alarms", noise.alarms);
  fields.real("alarm_bound", noise.alarm_bound);
}

void fields_of(Fields& fields, Method& method) {
  fields.text("strategy", method.strategy);
  fields.text_or_null("search_ended", method.search_ended);
  fields.record("warmup", method.warmup);
  fields.record_or_reason("audit", method.audit, method.audit_reason);
  fields.record_or_reason("calibration", method.calibration, method.calibration_reason);
}

void fields_of(Fields& fields, Collapsed& collapsed) {
  fields.text("knob", collapsed.knob);
  fields.text("reason", collapsed.reason);
  fields.whole("cells", collapsed.cells);
}

void fields_of(Fields& fields, Forbidden& forbidden) {
  fields.text("expression", forbidden.expression);
  fields.whole("cells", forbidden.cells);
}

}  // namespace tune::result
