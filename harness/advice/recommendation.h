#pragma once

#include "advice/attribution.h"
#include "advice/finding.h"
#include "advice/rule/fact_table.h"
#include "trial/knob_catalog.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tune::advice {

/// One knob of a recommendation.
struct ProposedKnob {
  std::string name;
  std::string from;                    ///< "" when it is not known how it is set
  std::optional<trial::KnobValue> to;  ///< nothing: what it depends on is not known
  std::string reason;                  ///< why `to` is not known
};

/// A gain that pairs of runs have measured.
struct MeasuredGain {
  enum class Verdict { confirmed, refuted, ambiguous };

  double value = 0, lower = 0, upper = 0;
  std::int64_t pairs = 0;
  Verdict verdict = Verdict::ambiguous;
  double before = 0, after = 0;  ///< samples per second: medians of the pairs
  std::optional<Attribution> attribution;
};

/// "CONFIRMED", "REFUTED", "AMBIGUOUS".
const char* to_text(MeasuredGain::Verdict verdict);

/// What to change, and what that gains. Refers to its rule.
struct Recommendation {
  std::string id;  ///< "R1": by rank, and kept when a later measurement changes that
  const rule::Rule* rule = nullptr;
  std::vector<ProposedKnob> knobs;       ///< those that would change something
  std::string cpp, python;               ///< code of the rule, with the values of this run
  std::vector<std::string> environment;  ///< of the rule, likewise: any one of them does it
  std::vector<std::string> rejected;     ///< "num_workers 8: loader-trainer-contention proposes 2"
  rule::Severity severity = rule::Severity::info;
  Confidence confidence = Confidence::high;
  PredictedGain predicted;
  std::optional<MeasuredGain> measured;
  std::optional<double> seen;  ///< gain of this very change in the search, not in fresh pairs
  std::string unmeasured;      ///< not tested: why, and what would do it; or ""
  std::vector<std::string> explains;  ///< findings that this one is a cause of
  std::vector<std::string> risks;     ///< the rule's own, and those of rules that it conflicts with
  bool breaks_a_limit = false;        ///< a rule that fired stands against it, or what follows
  /// "peak_memory_ratio 0.93 is above 0.9": of the scenario's constraints, by trials of the very
  /// change. It is shown, and never applied unasked.
  std::vector<std::string> broken_constraints;
};

/// Notes that trials of this change broke constraints of the scenario: it breaks a limit then, and
/// its risks say which. None broken: nothing changes.
void note_broken_constraints(Recommendation& recommendation,
                             const std::vector<std::string>& broken);

/// The share of a rule's predictions that came true, 0-1, by rule; 0.5 for a rule without history.
using HitRates = std::map<std::string, double>;

/// Best first: what breaks no limit before what does; CONFIRMED before what was not measured or is
/// AMBIGUOUS before REFUTED; by lower bound of the measured gain, else what the search lost with
/// it, else middle of the predicted one x hit rate (0 where neither is known); by guidance; by
/// fewer knobs; by id. Numbers them R1, R2, ...
void rank(std::vector<Recommendation>& recommendations, const HitRates& hit_rates);

/// The order in words, for reports.
const char* rank_formula();

/// Where two propose different values for one knob: the better evidence keeps it (measured, then
/// differential runs, then the others; then the order given), the other one says why not.
/// Needs them ranked.
void settle_conflicts(std::vector<Recommendation>& recommendations);

/// The code of a rule with each placeholder (advice/rule/rule.h) replaced: by what is
/// proposed for its knob, else by the value that the knob or the fact has, else by "...".
std::string filled_code(const std::string& code,
                        const std::vector<ProposedKnob>& knobs,
                        const rule::FactTable& facts);

/// What a finding that fired proposes; nothing where it has no gain, where a cause of it fired too
/// and has a proposal of its own, or where every knob already has the value and no code is given.
/// `all` are the findings of the run.
std::optional<Recommendation> recommend(const Finding& finding,
                                        const rule::FactTable& facts,
                                        const std::vector<Finding>& all);

}  // namespace tune::advice
