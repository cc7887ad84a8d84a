#pragma once

#include "base/error.h"
#include "base/stats/pair_bias.h"
#include "base/stats/verdict.h"
#include "measure/campaign/campaign_result.h"
#include "measure/campaign/epoch_time.h"
#include "measure/campaign/steadiness.h"
#include "measure/gate/policy.h"
#include "measure/gate/process_summary.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tune::gate {

/// What is compared: one of two sides.
struct Side {
  std::string name;       ///< "baseline" or "candidate"; also the cell of its trials
  std::string words;      ///< "intra_op_threads=1", "scenarios/old.yaml", "as it is"
  trial::TrialSpec spec;  ///< template: id and folder are filled in for each process
  /// What the scenario that is gated calls its baseline, as it is written there: of two commits the
  /// candidate's. A history follows it.
  bool is_own_setting = false;
  std::string worker_sha256;
  std::string commit;  ///< of a gate across revisions, else ""
  /// Files of that commit, or built of it, that decide what is measured: path in it, SHA-256.
  std::vector<std::pair<std::string, std::string>> files;
};

/// One process of each side, next to each other in time.
struct Pair {
  bool baseline_first = true;
  ProcessSummary baseline, candidate;
};

/// A measured metric: what is printed in one row.
struct Row {
  std::string metric, unit;
  double budget_ratio = 0;
  stats::Number baseline, candidate;  ///< in the metric's unit, over the processes
  /// The change as a ratio of worsening - 1 is not printed: `delta` is candidate / baseline - 1 in
  /// the metric's own direction, so throughput falls below 0 where time rises above.
  stats::Number delta;
  bool is_worse = false;                                       ///< whatever the metric's direction
  stats::Evidence evidence;                                    ///< on the scale of ln(worsening)
  double sign_lower = 0, sign_upper = 0, sign_confidence = 0;  ///< advisory, of delta
  std::optional<double> mde;  ///< smallest worsening that 90 % of such gates would find
  std::int64_t pairs = 0;
  stats::GateVerdict verdict = stats::GateVerdict::inconclusive;
  std::string why;       ///< a sentence, or a code and a sentence: "ENV_SHIFT: ..."
  std::size_t look = 0;  ///< that decided, from 0
};

/// A counted metric.
struct CountedRow {
  std::string metric, unit;
  double baseline_low = 0, baseline_high = 0;  ///< over the processes
  double candidate_low = 0, candidate_high = 0;
  double budget_ratio = 0;
  bool is_gated = false;
  stats::GateVerdict verdict = stats::GateVerdict::pass;
  std::string why;
};

/// What one look spent and said: a row of the ledger.
struct LookRecord {
  std::string utc;
  std::size_t index = 0;
  std::int64_t pairs = 0;
  double alpha_spent = 0, alpha_total = 0;  ///< both sides together
  std::vector<Row> rows;
  std::int64_t baseline_tainted = 0, candidate_tainted = 0;
};

/// How a gate ended.
enum class End {
  judged,
  nothing_changed,   ///< by the hashes of two commits: nothing was judged
  time_cap,          ///< before the first look
  recording_over,    ///< what is judged again holds too few pairs for the first look
  candidate_failed,  ///< crashed, out of memory, loss is not finite, other losses
  baseline_failed,
  not_steady,    ///< the search for a warm-up found none
  row_missing,   ///< a gated metric is missing on one side
  disturbed,     ///< other work left no slices that count
  incomparable,  ///< a stored baseline was measured with something else
  interrupted
};

/// What the search for the length of the warm-up said.
struct WarmupRecord {
  std::int64_t steps = 0;  ///< that every process warms up
  bool was_searched = false;
  std::optional<trial::SteadyRecord> search;
};

/// Where the processes of a gate come from for which nothing was measured.
struct AfterTheFact {
  std::string directory;      ///< of the gate, or of the run, that measured them
  std::string started_utc;    ///< when that began
  bool is_run = false;        ///< of `tune run`; else a gate, which has looked at them before
  bool other_policy = false;  ///< it is judged by other rules than the gate of then
};

/// A second comparison of the candidate, with something older than the baseline: what many changes
/// cost together, each within its own budget.
struct Anchor {
  std::string words;      ///< what the candidate is compared with
  std::string directory;  ///< of a gate of its own; "" when nothing was measured
  std::string skipped;    ///< why it was not compared, or ""
  End end = End::judged;
  std::string end_reason;
  std::vector<Row> rows;
  stats::GateVerdict verdict = stats::GateVerdict::pass;
  std::string why;  ///< of the verdict, a sentence
  ExitCode code = ExitCode::fine;
  bool decides = false;  ///< it says worse than the gate: the verdict of both is this one
  std::vector<std::string> warnings;
};

struct GateResult {
  campaign::CampaignResult run;  ///< scenario, machine, data, trials, provenance
  Policy policy;
  stats::LookSchedule looks;
  Side baseline, candidate;
  std::string baseline_name;      ///< of a stored one, or ""
  bool baseline_is_file = false;  ///< its name is that of a file, not of one in the data folder
  bool sides_are_equal = false;
  WarmupRecord warmup;
  std::vector<Pair> pairs;
  std::vector<Pair> lost_pairs;  ///< in which a side had no slice that counts
  std::vector<LookRecord> look_records;
  std::vector<Row> rows;
  std::vector<CountedRow> counted;
  std::optional<stats::EnvironmentShift> environment;
  std::optional<stats::PositionEffect> position;
  std::optional<campaign::EpochCheck> epoch;  ///< where epoch_time is gated and an epoch is cheap
  double taint_p = 1;                         ///< that the sides lost slices alike (Fisher)
  campaign::SteadyTally baseline_steadiness, candidate_steadiness;  ///< of the processes of pairs
  std::optional<double> calibrated_mde;
  std::string calibration;  ///< "uncalibrated", or what it rests on
  End end = End::judged;
  std::string end_reason;
  stats::GateVerdict verdict = stats::GateVerdict::inconclusive;
  std::string why;  ///< of the verdict, a sentence
  std::optional<AfterTheFact> after_the_fact;
  std::optional<Anchor> anchor;

  // Compiled once, in gate_result.cpp: they are long, and many files hold one.
  GateResult();
  GateResult(const GateResult&);
  GateResult(GateResult&&) noexcept;
  GateResult& operator=(const GateResult&);
  GateResult& operator=(GateResult&&) noexcept;
  ~GateResult();
};

/// Those that were disturbed included.
std::vector<Pair> all_pairs(const GateResult& result);

/// Whether the verdict is that of its rows: of all of them, or of one that had REGRESSED when the
/// gate ended otherwise.
bool is_of_rows(End end, stats::GateVerdict verdict);

/// What the shell gets, the mode taken into account: of how the gate ended and of its verdict the
/// worse, or of its anchor where that is worse.
ExitCode exit_code(const GateResult& result);

/// PASS, REGRESSED, IMPROVED, INCONCLUSIVE.
std::string verdict_word(stats::GateVerdict verdict);

}  // namespace tune::gate
