#pragma once

#include "result/answer.h"
#include "result/number.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tune::result {

// What a gate found.

struct GateRow {
  std::string metric, unit;
  bool is_measured = true;  ///< false: counted
  bool is_gated = true;
  Range baseline, candidate;
  Number delta;             ///< candidate / baseline - 1
  bool is_worse = false;    ///< whatever the metric's direction
  std::optional<double> p;  ///< of "at most the budget"
  std::optional<double> sign_lower, sign_upper, sign_confidence;  ///< advisory, of delta
  std::optional<double> budget, mde;
  std::int64_t pairs = 0;
  std::string verdict;  ///< PASS, REGRESSED, IMPROVED, INCONCLUSIVE
  std::string why;
};

/// Baseline or candidate.
struct GateSide {
  std::string words;  ///< what it is, for people
  std::string model;
  Setting knobs;
  std::optional<bool> own_setting;  ///< the scenario's own setting; nothing: an older result
  std::string worker_sha256, data_sha256, commit;
  std::vector<std::pair<std::string, std::string>> files;  ///< path, SHA-256; of a commit
};

/// One process of a pair.
struct GateProcess {
  std::map<std::string, double> values;  ///< by metric, in its unit
  std::int64_t clean_slices = 0, tainted_slices = 0;
  std::string taint;           ///< why the first disturbed one was disturbed
  std::string steadiness;      ///< "steady", "weak", or the veto
  std::string steadiness_why;  ///< "" of a steady one
};

/// One process of each side, next to each other in time.
struct GatePair {
  bool baseline_first = true;
  GateProcess baseline, candidate;
};

/// The result of one look for a metric, on the scale ln(how much worse).
struct GateLookRow {
  std::string metric, verdict;
  std::optional<double> lower, estimate, upper;
  std::optional<double> p, mde;
};

struct GateLook {
  std::string utc;
  std::int64_t look = 0, pairs = 0;                ///< look: from 1
  std::optional<double> alpha_spent, alpha_total;  ///< both sides together
  std::int64_t baseline_tainted = 0, candidate_tainted = 0;
  std::vector<GateLookRow> rows;
};

/// Controls measured next to the pairs; ratios - 1.
struct GateControls {
  Number sentinel;  ///< how the machine itself differed between the sides
  bool machine_changed = false;
  Number position;  ///< what running second costs
  std::int64_t blocks = 0;
  bool is_position_large = false;
  bool has_epoch = false;
  std::optional<double> epoch_estimated_s, epoch_measured_s, epoch_difference;
  std::string epoch_reason;
  std::optional<double> taint_p;  ///< of "the sides lost slices alike"
  Steadiness baseline_steadiness, candidate_steadiness;
};

struct GateWarmup {
  std::int64_t steps = 0;
  bool searched = false;
  std::optional<double> time_to_steady;  ///< seconds
  std::string time_to_steady_reason;
};

/// A gate's second comparison, with something older than its baseline.
struct GateAnchor {
  std::string words;    ///< what it is, for people
  std::string skipped;  ///< why it was not compared, or ""
  std::string verdict, why;
  std::string end, end_reason;  ///< as of a gate; "" where it was not compared
  std::int64_t exit_code = 0;
  bool decides = false;
  std::vector<GateRow> rows;
  bool may_move = false;
  std::string move;  ///< whether the candidate may become the anchor: a sentence
  std::string directory;
  std::vector<std::string> warnings;
};

/// A gate on earlier processes: nothing was measured for it.
struct AfterTheFact {
  std::string directory, started;
  std::string kind;  ///< run, gate
  bool other_policy = false;
};

struct Gate {
  std::string verdict, headline, why;
  std::string end;  ///< judged, candidate-failed, ...; "" in old results
  std::string end_reason;
  std::optional<std::int64_t> exit_code;
  std::string mode;          ///< enforce, warn, shadow
  std::string inconclusive;  ///< warn, pass, fail
  std::optional<double> min_effect;
  std::vector<GateRow> rows;
  GateSide baseline, candidate;
  bool sides_are_equal = false;
  std::string stored_baseline;  ///< its name; "": the baseline was measured, too
  std::int64_t pair_count = 0;  ///< that count
  std::string order;            ///< "AB BA AB"
  bool has_pairs = false;       ///< false: the values of single pairs were not stored
  std::vector<GatePair> pairs, lost_pairs;
  std::optional<double> alpha;         ///< one-sided, over all looks
  std::vector<std::int64_t> looks_at;  ///< pairs, as planned
  std::vector<GateLook> looks;
  GateWarmup warmup;
  GateControls controls;
  std::string calibration;
  std::optional<double> calibrated_mde;
  std::optional<GateAnchor> anchor;
  std::optional<AfterTheFact> after_the_fact;
};

void fields_of(Fields& fields, Gate& gate);

}  // namespace tune::result
