#pragma once

#include "advice/gain_model.h"
#include "advice/rule/evaluate_rule.h"

#include <optional>
#include <string>
#include <vector>

namespace tune::advice {

/// A value that a finding stands on.
struct Evidence {
  std::string name;
  expression::Result value;             ///< or why it is not known
  std::string limit, limit_source;      ///< what it was compared with; "" when with none
  std::string source, window;           ///< where it comes from
  std::vector<rule::Example> examples;  ///< rows that show it
};

/// How far the numbers behind a finding carry: below 20 steps at most medium (TraceML); low when
/// there is but one step, or when a rule of validity fired.
enum class Confidence { low, medium, high };

const char* to_text(Confidence confidence);

/// What one rule concluded. Refers to its rule, which must outlive it.
struct Finding {
  const rule::Rule* rule = nullptr;
  rule::State state = rule::State::not_applicable;
  std::string reason;        ///< why it is not applicable, or quiet although its condition is true
  bool needs_a_run = false;  ///< not applicable, and a run of tune could tell
  std::string text;          ///< the condition with its values
  std::string because;       ///< the same in words, of what fired; "": the rule has none for it
  std::vector<expression::ExplainedPart> parts;
  std::vector<Evidence> evidence;

  // For what fired:
  rule::Severity severity = rule::Severity::info;
  PredictedGain gain;
  Confidence confidence = Confidence::high;
  std::vector<std::string> labels;        ///< "one-step", "no-step-marks", "unexplained"
  std::vector<std::string> explained_by;  ///< ids of causes that fired too

  std::string muted_by;  ///< id of the rule that made this one quiet; "" for none

  bool has_fired() const { return state == rule::State::fired; }

  // Compiled once, in finding.cpp: they are long, and many files hold one.
  Finding();
  Finding(const Finding&);
  Finding(Finding&&) noexcept;
  Finding& operator=(const Finding&);
  Finding& operator=(Finding&&) noexcept;
  ~Finding();
};

/// Evaluates one rule by itself: state, severity, gain and evidence, without relations to others.
/// What would gain less than 0.5 % is quiet.
Finding find(const rule::Rule& rule, const rule::FactTable& facts);

/// high from 10 %, medium from 3 % (msprof-analyze: 5 and 3 %), low from 0.5 % (TraceLens), nothing
/// below. Of the upper end of a predicted gain.
std::optional<rule::Severity> severity_of_gain(double upper);

/// Makes quiet what a rule that fired mutes: "muted by gpu-saturation". A rule of validity makes it
/// not applicable instead. A finding of low severity mutes nothing, nor does one that is muted
/// itself. One whose severity is that of its gain, which nobody knows, mutes only rules of its own
/// group.
void apply_muting(std::vector<Finding>& findings);

/// Names the causes that fired too. A finding whose rule knows causes, none of which fired, gets
/// the label "unexplained".
void apply_explanations(std::vector<Finding>& findings);

}  // namespace tune::advice
