#pragma once

#include "result/number.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tune::result {

// What the rules found, and how good their predictions were.

/// A row of a trace that shows a value.
struct Example {
  std::string name;
  std::int64_t start_ns = 0, duration_ns = 0;
};

/// A value behind a finding.
struct Evidence {
  std::string metric;
  Value value;
  std::string unit;                 ///< of a number
  std::string reason;               ///< why the value is not known
  std::string limit, limit_source;  ///< what it was compared with
  std::string source, window;
  std::vector<Example> examples;
};

/// 0.1 is 10 % more samples per second.
struct PredictedGain {
  Number gain;  ///< `reason`: why there is no range
  std::string model, formula;
  bool is_damaged = false;  ///< not stored: the file had one end of a range, or no range
};

/// What one rule concluded.
struct Finding {
  std::string rule;
  std::string state;     ///< fired, quiet, not-applicable
  std::string severity;  ///< of one that fired
  std::vector<Evidence> evidence;
  std::string reason;  ///< why it is not applicable
  std::string group, title, question;
  std::string expression;             ///< its condition with the numbers
  std::string because;                ///< the same in words; of one that fired
  std::optional<PredictedGain> gain;  ///< of one that fired
  std::string confidence;             ///< of one that fired
  std::vector<std::string> labels, explained_by;
  std::string muted_by;
  bool needs_a_run = false;
  std::vector<std::string> parts;  ///< not stored: of its condition, each with its value
};

/// The change of one knob.
struct KnobChange {
  std::string name;
  std::string from;                    ///< "": unknown
  std::optional<trial::KnobValue> to;  ///< nothing: could not be computed
  std::string reason;                  ///< why `to` is not known
};

struct Change {
  std::vector<KnobChange> knobs;
  std::string cpp, python;
  std::vector<std::string> environment;  ///< each one works on its own
  std::string text;
};

/// "num_workers 0 -> 2", or the change of code in words.
std::string change_text(const Change& change);

/// One phase's part of a gain; seconds per sample.
struct PhaseChange {
  std::string phase;
  double before = 0, after = 0, saved = 0, share = 0, gain = 0;
};

struct Attribution {
  double before = 0, after = 0, saved = 0;
  std::vector<PhaseChange> phases;
};

struct MeasuredGain {
  Number gain;                   ///< `n`: pairs
  double before = 0, after = 0;  ///< samples/s
  std::optional<Attribution> attribution;
};

struct Recommendation {
  std::string id, rule, title;
  Change change;
  PredictedGain predicted;
  MeasuredGain measured;
  std::string verdict;             ///< CONFIRMED, REFUTED, AMBIGUOUS, or "": not measured
  std::string against_prediction;  ///< "as predicted", ...
  std::string severity, confidence;
  std::string numerics;       ///< preserving, changing
  std::string transfers;      ///< python, cpp
  std::int64_t guidance = 0;  ///< 3: one knob, 2: a change of code, 1: needs thought
  std::vector<std::string> risks, rejected, explains;
  std::string verify;
  std::vector<std::string> links;
  // Not stored: the current answer of the rules.
  std::vector<std::string> broken_constraints, explained_by, mutes, conflicts;
  bool breaks_a_limit = false;
};

/// A change that a rule proposed before the search.
struct Proposal {
  std::string rule;
  Setting changed;
  std::optional<double> lower, upper;  ///< the gain predicted then, ratio - 1
  std::string outside;                 ///< why no cell of the run can have it
};

/// Several recommendations applied together, compared with the baseline.
struct Rung {
  std::vector<std::string> rules, recommendations;
  std::string cell;
  Setting changed;
  Number gain;
  std::string verdict;
  std::int64_t pairs = 0;
  std::optional<double> step_gain, product;
  std::string product_reason;
  std::optional<double> interaction;
  std::string reason;
};

/// How good some predictions were.
struct Quality {
  std::int64_t n = 0, confirmed = 0, refuted = 0, ambiguous = 0, in_range = 0;
  std::optional<double> hit_rate, coverage, bias, mean_error, median_error, spearman_rho;
};

struct RuleQuality {
  std::string rule;
  Quality quality;
  double rank_weight = 0;
};

/// A prediction that pairs have tested.
struct JudgedPrediction {
  std::string run, id, rule, model;
  Number predicted;
  Number measured;  ///< `n`: pairs
  double error = 0;
  bool in_range = false;
  std::string verdict;
};

struct SkippedRun {
  std::string run, reason;
};

struct PredictionQuality {
  std::vector<std::string> runs;
  std::vector<SkippedRun> skipped;
  Quality all;
  std::vector<RuleQuality> rules;
  std::vector<JudgedPrediction> predictions;
  std::optional<Quality> this_run;
};

void fields_of(Fields& fields, Evidence& evidence);
void fields_of(Fields& fields, Finding& finding);
void fields_of(Fields& fields, Recommendation& recommendation);
void fields_of(Fields& fields, Proposal& proposal);
void fields_of(Fields& fields, Rung& rung);
void fields_of(Fields& fields, PredictionQuality& quality);

}  // namespace tune::result
