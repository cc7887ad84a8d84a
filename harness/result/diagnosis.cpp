#include "result/diagnosis.h"

#include "base/fields.h"
#include "base/text.h"

namespace tune::result {

static void fields_of(Fields& fields, Example& example) {
  fields.text("name", example.name);
  fields.whole("start_ns", example.start_ns);
  fields.whole("duration_ns", example.duration_ns);
}

void fields_of(Fields& fields, Evidence& evidence) {
  fields.text("metric", evidence.metric);
  value(fields, "value", evidence.value);
  fields.text_or_null("unit", evidence.unit);
  fields.text_or_null("reason", evidence.reason);
  fields.text_or_null("limit", evidence.limit);
  fields.text_or_null("limit_source", evidence.limit_source);
  fields.text_or_null("source", evidence.source);
  fields.text_or_null("window", evidence.window);
  fields.list("examples", evidence.examples);
}

static void fields_of(Fields& fields, PredictedGain& predicted) {
  Number& gain = predicted.gain;
  fields.real("value", gain.value);
  fields.real("lower", gain.lower);
  fields.real("upper", gain.upper);
  if (fields.reads() && gain.lower && gain.upper && *gain.lower <= *gain.upper) {
    gain.value = gain.value.value_or((*gain.lower + *gain.upper) / 2);
  } else if (fields.reads()) {
    predicted.is_damaged = gain.lower || gain.upper;
    gain.lower = gain.upper = std::nullopt;
  }
  fields.text("model", predicted.model);
  fields.text_or_null("formula", predicted.formula);
  fields.text_or_null("reason", predicted.gain.reason);
}

void fields_of(Fields& fields, Finding& finding) {
  fields.text("rule", finding.rule);
  fields.text("state", finding.state);
  fields.text_or_null("severity", finding.severity);
  fields.list("evidence", finding.evidence);
  fields.text_or_null("reason", finding.reason);
  fields.text("group", finding.group);
  fields.text("title", finding.title);
  fields.text("question", finding.question);
  fields.text_or_null("expression", finding.expression);
  fields.text_or_null("because", finding.because);
  fields.record("gain", finding.gain);
  fields.text_or_null("confidence", finding.confidence);
  fields.text_list("labels", finding.labels);
  fields.text_list("explained_by", finding.explained_by);
  fields.text_or_null("muted_by", finding.muted_by);
  fields.flag("needs_a_run", finding.needs_a_run);
}

static void fields_of(Fields& fields, KnobChange& change) {
  fields.text("name", change.name);
  fields.text_or_null("from", change.from);
  knob_value(fields, "to", change.to);
  fields.text_or_null("reason", change.reason);
}

static void fields_of(Fields& fields, Change& change) {
  fields.list("knobs", change.knobs);
  fields.text_or_null("cpp", change.cpp);
  fields.text_or_null("python", change.python);
  fields.text_list("environment", change.environment);
  fields.text_or_null("text", change.text);
}

std::string change_text(const Change& change) {
  std::string text;
  for (const KnobChange& knob : change.knobs) {
    const std::string to = knob.to ? value_text(*knob.to) : "";
    if (!to.empty()) {
      text += (text.empty() ? "" : ", ") + knob.name + " " +
              (knob.from.empty() ? "= " : knob.from + " -> ") + to;
    }
  }
  return cleaned(text.empty() ? change.text : text);
}

static void fields_of(Fields& fields, PhaseChange& phase) {
  fields.text("phase", phase.phase);
  fields.real("before", phase.before);
  fields.real("after", phase.after);
  fields.real("saved", phase.saved);
  fields.real("share", phase.share);
  fields.real("gain", phase.gain);
}

static void fields_of(Fields& fields, Attribution& attribution) {
  fields.real("before", attribution.before);
  fields.real("after", attribution.after);
  fields.real("saved", attribution.saved);
  fields.list("phases", attribution.phases);
}

void fields_of(Fields& fields, Recommendation& recommendation) {
  fields.text("id", recommendation.id);
  fields.text("rule", recommendation.rule);
  fields.text("title", recommendation.title);
  fields.record("change", recommendation.change);
  fields.record("predicted", recommendation.predicted);
  MeasuredGain& measured = recommendation.measured;
  fields.reasoned("measured", measured.gain.is_there, measured.gain.reason, [&](Fields& inner) {
    value_and_interval(inner, measured.gain);
    inner.whole("pairs", measured.gain.n);
    inner.real("before", measured.before);
    inner.real("after", measured.after);
    inner.record("attribution", measured.attribution);
  });
  fields.text_or_null("verdict", recommendation.verdict);
  fields.text_or_null("against_prediction", recommendation.against_prediction);
  fields.text("severity", recommendation.severity);
  fields.text("confidence", recommendation.confidence);
  fields.text("numerics", recommendation.numerics);
  fields.text("transfers", recommendation.transfers);
  fields.whole("guidance", recommendation.guidance);
  fields.text_list("risks", recommendation.risks);
  fields.text_list("rejected", recommendation.rejected);
  fields.text_list("explains", recommendation.explains);
  fields.text("verify", recommendation.verify);
  fields.text_list("links", recommendation.links);
}

void fields_of(Fields& fields, Proposal& proposal) {
  fields.text("rule", proposal.rule);
  setting(fields, "changed", proposal.changed);
  fields.real("lower", proposal.lower);
  fields.real("upper", proposal.upper);
  fields.text_or_null("outside", proposal.outside);
}

void fields_of(Fields& fields, Rung& rung) {
  fields.text_list("rules", rung.rules);
  fields.texts_or_nulls("recommendations", rung.recommendations);
  fields.text_or_null("cell", rung.cell);
  setting(fields, "changed", rung.changed);
  number_or_null(fields, "gain", rung.gain);
  fields.text_or_null("verdict", rung.verdict);
  fields.whole("pairs", rung.pairs);
  fields.real("step_gain", rung.step_gain);
  fields.real("product", rung.product);
  fields.text_or_null("product_reason", rung.product_reason);
  fields.real("interaction", rung.interaction);
  fields.text_or_null("reason", rung.reason);
}

static void fields_of(Fields& fields, Quality& quality) {
  fields.whole("n", quality.n);
  fields.whole("confirmed", quality.confirmed);
  fields.whole("refuted", quality.refuted);
  fields.whole("ambiguous", quality.ambiguous);
  fields.whole("in_range", quality.in_range);
  fields.real("hit_rate", quality.hit_rate);
  fields.real("coverage", quality.coverage);
  fields.real("bias", quality.bias);
  fields.real("mean_error", quality.mean_error);
  fields.real("median_error", quality.median_error);
  fields.real("spearman_rho", quality.spearman_rho);
}

static void fields_of(Fields& fields, RuleQuality& rule) {
  fields.text("rule", rule.rule);
  fields_of(fields, rule.quality);
  fields.real("rank_weight", rule.rank_weight);
}

static void fields_of(Fields& fields, JudgedPrediction& prediction) {
  fields.text("run", prediction.run);
  fields.text("id", prediction.id);
  fields.text("rule", prediction.rule);
  fields.text("model", prediction.model);
  fields.object("predicted",
                [&](Fields& inner) { value_and_interval(inner, prediction.predicted); });
  fields.object("measured", [&](Fields& inner) {
    value_and_interval(inner, prediction.measured);
    inner.whole("pairs", prediction.measured.n);
  });
  fields.real("error", prediction.error);
  fields.flag("in_range", prediction.in_range);
  fields.text("verdict", prediction.verdict);
}

static void fields_of(Fields& fields, SkippedRun& skipped) {
  fields.text("run", skipped.run);
  fields.text("reason", skipped.reason);
}

void fields_of(Fields& fields, PredictionQuality& quality) {
  fields.text_list("runs", quality.runs);
  fields.list("skipped", quality.skipped);
  fields.record("all", quality.all);
  fields.list("rules", quality.rules);
  fields.list("predictions", quality.predictions);
  fields.record_if_any("this_run", quality.this_run);
}

}  // namespace tune::result
