#pragma once

#include "result/number.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tune::result {

// The answer of a run: about the baseline, the best setting and every cell.

/// Baseline or best setting.
struct Side {
  std::string cell;
  Setting knobs, changed;
  Number throughput;   ///< of fresh pairs, if there are any
  std::string window;  ///< in which it was measured: confirm, search, audit; else diagnose, warmup
};

/// The setting that the headline is about.
struct Best {
  Side side;
  Number gain;  ///< of fresh pairs
  std::int64_t pairs = 0;
  std::int64_t pairs_wanted = 0;  ///< at the look that decided, or at the next one
  std::string verdict;            ///< CONFIRMED, REFUTED, AMBIGUOUS, or ""
  std::string verdict_reason;
};

struct TrialCounts {
  std::int64_t run = 0, failed = 0;
  std::optional<std::int64_t> not_steady, weak;  ///< nothing: of an analysis, and in old results
  std::int64_t grid = 0;                         ///< cells of the whole grid
};

/// What was to be improved, where it is not speed.
struct Objective {
  std::string metric;     ///< of the scenario's `objective:`
  Number baseline, best;  ///< medians of the trials that the answer rests on
};

struct Summary {
  std::string headline;         ///< one sentence
  std::string standing;         ///< faster, undecided, ..., analyzed
  Side baseline;                ///< without a cell where no baseline was measured
  std::string baseline_reason;  ///< why there is none
  Best best;                    ///< likewise
  std::string best_reason;      ///< why there is none
  TrialCounts trials;
  std::optional<Objective> objective;  ///< nothing: speed
};

/// How many of several trials measured their steady state.
struct Steadiness {
  std::int64_t trials = 0, weak = 0, not_steady = 0;
  std::string label, why;
};

struct Cell {
  std::string id;
  Setting knobs;
  Setting changed;  ///< knobs that differ from the baseline
  std::string outcome, reason;
  Number throughput, gain;
  std::int64_t rounds = 0;
  std::string window;
  bool disturbed = false, stalls = false;
  Steadiness steadiness;
  std::vector<std::string> broken_constraints;
  std::string setting;  ///< not stored: setting_text()
};

/// "amp=bf16 batch_size=256"; the cell's id when nothing differs. At most 10,000 characters, and
/// different settings stay different.
std::string setting_text(const Cell& cell);

/// One look at the pairs of a setting.
struct Look {
  std::int64_t pairs = 0;
  double alpha = 0, alpha_total = 0;
  std::optional<double> lower, value, upper;  ///< gain, ratio - 1
  double p = 1;
  std::string verdict;
};

struct SliceCounts {
  std::int64_t clean = 0, tainted = 0, baseline_clean = 0, baseline_tainted = 0;
};

/// How a script was given a setting in its fresh pairs.
struct PairForm {
  bool applied = false;                                ///< as it is handed over; false: injected
  std::string why;                                     ///< it was injected, or ""
  std::vector<std::string> options, variables, files;  ///< what it consists of
};

/// Fresh pairs of a cell.
struct Confirmation {
  std::string cell;
  std::int64_t pairs = 0;
  std::string verdict, why;
  Number gain;
  Number throughput;  ///< of the cell in these pairs; older results have none
  std::optional<double> search_gain, position_effect;
  std::string losses;
  SliceCounts slices;
  Steadiness steadiness, baseline_steadiness;
  std::vector<Look> looks;
  std::optional<PairForm> form;  ///< nothing: not of a script, or of an older result
};

struct Warmup {
  std::int64_t steps = 0;
  bool steady = true;
  std::string text;
};

/// The search's result, compared with every cell measured in full.
struct Audit {
  bool complete = false;
  std::int64_t rounds = 0, cells = 0;
  std::string pick, best;
  std::optional<double> found_ratio;
  std::string found_ratio_reason;
  std::optional<double> trials_ratio, measured_ratio;
  std::int64_t search_trials = 0;
  double search_measured_s = 0;
  std::int64_t trials = 0, trials_missing = 0;
  double measured_s = 0;
};

/// The spread of equal processes on this machine.
struct Noise {
  std::string utc;
  std::int64_t launches = 0;
  double pair_sd = 0, mde = 0;
  std::int64_t verdicts = 0, alarms = 0;
  double alarm_bound = 1;
};

struct Method {
  std::string strategy, search_ended;
  std::optional<Warmup> warmup;
  std::optional<Audit> audit;
  std::string audit_reason;
  std::optional<Noise> calibration;
  std::string calibration_reason;
};

/// A knob that cannot matter here.
struct Collapsed {
  std::string knob, reason;
  std::int64_t cells = 0;
};

struct Forbidden {
  std::string expression;
  std::int64_t cells = 0;
};

void fields_of(Fields& fields, Summary& summary);
void fields_of(Fields& fields, Steadiness& steadiness);
void fields_of(Fields& fields, Cell& cell);
void fields_of(Fields& fields, Confirmation& confirmation);
void fields_of(Fields& fields, Method& method);
void fields_of(Fields& fields, Collapsed& collapsed);
void fields_of(Fields& fields, Forbidden& forbidden);

}  // namespace tune::result
