#pragma once

#include "advice/attribution.h"
#include "advice/prediction_history.h"
#include "base/stats/number.h"
#include "machine/machine_facts.h"
#include "machine/telemetry/host_metrics.h"
#include "measure/campaign/epoch_time.h"
#include "measure/campaign/known_noise.h"
#include "measure/campaign/pair_form.h"
#include "measure/campaign/profiled_cell.h"
#include "measure/campaign/proposal.h"
#include "measure/campaign/run_diagnosis.h"
#include "measure/campaign/steadiness.h"
#include "measure/campaign/taint.h"
#include "measure/history/series.h"
#include "measure/runner/trial_outcome.h"
#include "scenario/plan.h"
#include "scenario/scenario.h"
#include "trial/trial_spec.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tune::campaign {

/// One trial as the ledger keeps it.
struct TrialRecord {
  trial::TrialSpec spec;
  std::string stage;          ///< "warmup", "diagnose", "ceiling", "search", "audit", "confirm",
                              ///< "ladder", "epoch", or "gate"
  std::int64_t round = 0;     ///< from 1, counted per stage
  std::int64_t position = 0;  ///< place in the round's order, from 0
  std::int64_t attempt = 1;   ///< above 1: the one before was disturbed too much, or killed
  std::size_t sitting = 0;    ///< in which it ran, by its place in the ledger
  std::int64_t shard = 0;     ///< of a joined run: which measured it; 0: none, it ran afterwards
  runner::TrialOutcome outcome;
  /// Set by summarise() for a completed trial whose warm-up has a known length.
  std::optional<Steadiness> steadiness;
};

struct CellResult {
  scenario::Cell cell;
  std::string outcome;  ///< completed, or the kind of its first failure, or "not-run"
  std::string reason;   ///< of the failure, or why it was not run; of a completed cell: what is
                        ///< missing or failed in other rounds
  std::string stage = "search";  ///< of the rounds below: the audit's say more where it ran
  std::int64_t rounds = 0;       ///< completed
  std::optional<stats::Number> throughput;  ///< samples per second over these rounds
  /// Against the baseline of the same round, ratio - 1; not for the baseline.
  std::optional<stats::Number> gain;
  std::optional<std::int64_t> peak_memory_bytes;
  /// Summed over all slices of its fresh pairs, else of these rounds; nothing where they replay a
  /// CUDA graph.
  std::optional<trial::PhaseSums> phases;
  bool disturbed = false;        ///< in some trial others used its CPUs
  std::int64_t cold_trials = 0;  ///< that began with a colder page cache than the others
  bool stalls = false;           ///< median slice rate differs by > 1 % from the rate of the sum
  SteadyTally steadiness;        ///< of the trials of these rounds
  std::vector<std::string> broken_constraints;  ///< of `constraints:`; never recommended then
};

/// One look at the pairs of a confirmed cell: a row of the record of what certainty was spent.
struct LookRecord {
  std::int64_t pairs = 0;
  double alpha = 0, alpha_total = 0;       ///< one-sided: at this look, up to it
  double lower = 0, value = 0, upper = 0;  ///< gain, ratio - 1; infinite with too few pairs
  double p = 1;                            ///< for "at most the smallest effect of interest"
  std::string verdict;                     ///< confirmed | refuted | ambiguous
};

/// The fresh rounds after the search, of one cell: the only source of a printed gain.
struct Confirmation {
  std::string cell;
  std::int64_t pairs = 0;        ///< rounds in which both sides completed
  std::int64_t wanted = 0;       ///< at the look that decided, or at the next one
  stats::Number baseline, best;  ///< samples per second
  stats::Number gain;            ///< ratio - 1 of the same round's baseline
  std::string verdict;           ///< confirmed | refuted | ambiguous; "": no look has been reached
  std::string why;  ///< of an ambiguous one, or why there is none, or it is not recommended
  std::vector<LookRecord> looks;
  std::optional<double> search_gain;            ///< what the search had promised
  SliceCount slices, baseline_slices;           ///< of the trials that count
  SteadyTally steadiness, baseline_steadiness;  ///< of the trials that count
  std::optional<double> position_effect;  ///< what running second costs, ratio - 1 of the time
  std::string loss_parity;    ///< "equal within 0.01 %", or why the losses cannot be compared
  bool loss_differs = false;  ///< though no knob of the cell may change the numbers
  std::optional<advice::Attribution> attribution;  ///< of the gain, by phase of the step
  std::optional<PairForm> form;                    ///< nothing: not of a script
  std::vector<std::string> broken_constraints;     ///< by the cell: never recommended then
};

/// The changes of several recommendations on top of one another, against the baseline.
struct LadderRung {
  std::vector<std::string> rules;  ///< that proposed them; the last one is new on this rung
  std::string cell;                ///< "" where no cell has these settings
  trial::KnobSettings changed;
  std::optional<Confirmation> pairs;  ///< fresh ones; nothing: see `reason`
  std::string reason;                 ///< why it was not measured, or is not recommended, or ""
  /// What the last change adds: the gain against the rung below, ratio - 1; of the first rung that
  /// against the baseline.
  std::optional<double> step_gain;
  /// What the changes would give if each did as much as alone, ratio - 1; from two changes on.
  std::optional<double> product;
  std::string product_reason;  ///< why there is none, or that a factor comes from the search, or ""
  /// The measured gain against the product, ratio - 1: below 0 the changes hinder each other.
  std::optional<double> interaction;
};

/// What a part of the baseline can do alone.
struct Ceiling {
  /// "compute_ceiling": resident batches, "data_ceiling": no model, "cold_ceiling": nor files in
  /// the page cache
  std::string id;
  std::string trial;                     ///< that measured it
  std::optional<double> rate;            ///< samples per second
  std::string reason;                    ///< why there is none, or ""
  std::optional<double> resident_ratio;  ///< of the files' bytes in the page cache before
};

/// What `tune verify` measured of one change of the baseline: fresh pairs in a campaign of its own.
struct Verification {
  std::filesystem::path directory;  ///< <run>/verified/01-synchronous-loader
  trial::KnobSettings change;       ///< knobs that it changes, and to what
  std::optional<Confirmation> confirmation;
  std::vector<std::string> broken_constraints;  ///< by its trials: never recommended then
  bool is_open = false;         ///< trials are missing that may decide it; `tune verify` runs them
  std::string reason;           ///< why the verdict is missing: "the setting failed: ...", or ""
  std::optional<double> until;  ///< half of the gain's interval that was asked for, ratio
  std::int64_t elapsed_ns = 0;  ///< over all its sittings
};

/// What the search found and spent, against every cell measured in full in rounds of its own.
struct Audit {
  std::string reason;      ///< why found_ratio is not known, or ""
  bool has_begun = false;  ///< false also where there is nothing to audit
  bool is_whole = false;   ///< false: trials are missing
  std::string pick, best;  ///< cells: the search's first, the audit's fastest
  /// Rate (or what else is maximised) of the pick ÷ that of the best, from the same rounds of the
  /// audit. The best of many noisy cells looks better than it is, so this is rather too low.
  std::optional<double> found_ratio;
  std::int64_t rounds = 0;  ///< of every cell
  std::int64_t cells = 0;   ///< that ran in it, the baseline included
  std::int64_t search_trials = 0, trials = 0, trials_missing = 0;
  std::int64_t search_ns = 0, ns = 0;  ///< measured windows: without starts and warm-ups
};

/// How long one pass over the data takes with a cell, from the fresh trials of the confirmation.
struct EpochResult {
  std::string cell;
  std::optional<stats::Number> computed;  ///< seconds
  double begin_s = 0;                     ///< of these, the cost of an epoch's begin; the median
  std::string warning;                    ///< of the computed one, or ""
  std::optional<EpochCheck> check;        ///< against one whole epoch
  std::string reason;                     ///< why the check, or everything, is missing
};

/// How long the warm-up is, and where that comes from.
struct WarmupFound {
  std::int64_t steps = 0;  ///< of every trial
  bool is_steady = true;
  std::string text;  ///< "steady after 12 steps (1.4 s), found in 64 steps of the baseline"
  /// What the steps before the steady ones took together; nothing where no state was steady.
  std::optional<std::int64_t> time_to_steady_ns = {};
};

/// What one shard measured, or the machine that continued a joined run.
struct MeasuredPart {
  std::int64_t shard = 0;          ///< from 1; 0: after the shards were joined
  std::vector<std::string> hosts;  ///< names of its machines, in the order used; "" is not known
  /// As in the shard's own run; a part measured after the joining has those of the result.
  std::string directory, started_utc;
  std::optional<machine::MachineFacts> machine;
  std::vector<std::string> cells;                ///< that ran, the baseline first
  std::int64_t first_round = 0, last_round = 0;  ///< of the search, as counted here; 0: none
  std::optional<stats::Number> baseline;         ///< samples per second on this machine
};

/// Everything one `tune run` found; all of it can be rebuilt from the run directory.
struct CampaignResult {
  std::filesystem::path directory;
  scenario::Scenario scenario;
  scenario::Plan plan;
  machine::MachineFacts machine;
  std::string tune_version, commit;
  std::string started_utc;           ///< ISO 8601
  std::int64_t elapsed_ns = 0;       ///< over all sittings of a resumed run
  std::vector<std::string> command;  ///< as typed

  std::uint64_t seed = 0;              ///< of the order of trials
  std::vector<std::string> overrides;  ///< --set, --rounds, ... as "key=value"
  trial::Data data;                    ///< as every trial got it
  std::string worker, worker_sha256;   ///< the program that ran the trials
  std::int64_t sittings = 0;           ///< 1, and one more for each --resume

  /// Baseline first, then confirmed ones, then those that the search would confirm, then best
  /// median gain first (ties within 1 %: fewest changed knobs, then least memory), then what breaks
  /// a constraint or has no gain, failures last.
  std::vector<CellResult> cells;
  std::vector<Confirmation> confirmations;   ///< of every cell that was confirmed, best first
  std::optional<Confirmation> confirmation;  ///< the first of them that breaks no constraint
  std::vector<Verification> verifications;   ///< oldest first; by load_campaign()
  std::optional<Proposals> proposals;        ///< of the rules, see proposal.h; nothing: not asked
  std::vector<LadderRung> ladder;            ///< what the proposals gave on top of one another
  std::vector<Ceiling> ceilings;             ///< of the baseline, as far as they were tried
  std::vector<EpochResult> epochs;           ///< of the baseline, then of the confirmed cells
  std::vector<ProfiledCell> profiles;        ///< of the cells that were asked to record steps
  std::optional<RunDiagnosis> diagnosis;     ///< nothing until the rules are asked (cli)
  std::optional<WarmupFound> warmup;         ///< nothing: the scenario says how long
  std::string search_ended;                  ///< why no more was searched, or ""
  std::optional<Audit> audit;                ///< nothing: not asked for
  std::vector<TrialRecord> trials;           ///< in the order run
  /// Which cells were measured where: of a shard and of a joined run; else empty.
  std::vector<MeasuredPart> parts;
  std::int64_t trials_failed = 0;
  SteadyTally steadiness;  ///< of search and confirmation
  /// The baseline's and the best other cell's, from the files of their trials; load_campaign() sets
  /// it.
  std::vector<telemetry::CellTelemetry> telemetry;
  /// From the runs in the same folder that began before this one; the command sets it before the
  /// rules are asked.
  advice::PredictionHistory earlier;
  /// The baseline's rate over the runs that compare with this one, which is the last of them, and
  /// the gates before it, as the run directory keeps them; nothing without earlier ones. By
  /// load_campaign().
  std::optional<history::Series> history;
  /// Measured for this scenario with these settings on the machine of the run; the command sets it.
  std::optional<KnownNoise> noise;
  std::string noise_reason;         ///< why it is not known, or ""
  bool complete = true;             ///< false: promised work is missing (exit 6)
  bool baseline_failed = false;     ///< given up, in the search or in the confirming rounds
  std::int64_t trials_missing = 0;  ///< that --resume would run
  /// A budget that would do for the rest; set when the budget is why trials are missing.
  std::optional<std::int64_t> budget_wanted_ns;
  std::string incomplete_reason;      ///< "budget of 5m used up: 12 of 72 trials missing"
  std::vector<std::string> warnings;  ///< "3 of 12 cells failed", "the data set was rebuilt", ...

  /// Null where it has none with that id.
  const CellResult* find_cell(const std::string& id) const;

  // Compiled once, in summarise.cpp: they are long, and many files hold one.
  CampaignResult();
  CampaignResult(const CampaignResult&);
  CampaignResult(CampaignResult&&) noexcept;
  CampaignResult& operator=(const CampaignResult&);
  CampaignResult& operator=(CampaignResult&&) noexcept;
  ~CampaignResult();
};

}  // namespace tune::campaign
