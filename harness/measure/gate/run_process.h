#pragma once

#include "measure/gate/gate_ledger.h"
#include "measure/gate/gate_result.h"
#include "measure/runner/run_trial.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace tune::gate {

/// Where a running gate stands, for whoever shows it.
struct Standpoint {
  std::string side;               ///< "baseline", "candidate"
  std::int64_t pair = 0;          ///< from 1; 0: the search for the warm-up, or a counted step
  std::int64_t next_look = 0;     ///< pairs at the look that comes next
  std::int64_t last_look = 0;     ///< pairs at most
  std::int64_t attempt = 1;       ///< of the same process: 2 and 3 after disturbed ones
  std::int64_t remaining_ns = 0;  ///< to the next look, from measured costs
};

/// Shows a gate to somebody; what it does must not take time while a process measures.
class Watcher {
 public:
  virtual ~Watcher() = default;
  virtual void process_begins(const Standpoint& standpoint) = 0;
  /// `summary` is null when the process failed.
  virtual void process_ended(const Standpoint& standpoint,
                             const campaign::TrialRecord& record,
                             const ProcessSummary* summary) = 0;
  virtual void looked(const LookRecord& look) = 0;
};

struct RecordedGate;

/// What a gate needs of the world; tests give their own.
struct GateLoop {
  GateLedger& ledger;
  Watcher& watcher;
  runner::TrialRunner run_trial;  ///< for both sides
  std::function<std::int64_t()> now_ns;
  std::function<std::string()> utc;
  const std::atomic<int>* stop = nullptr;  ///< not 0: end after saving
  std::int64_t start_ns = 0;               ///< of the gate, on the clock of now_ns
  /// What is judged again, or null: its processes are taken instead of running any, and the ledger
  /// does not repeat them.
  const RecordedGate* recording = nullptr;

  bool stopped() const { return stop != nullptr && stop->load() != 0; }
};

/// One process to be run.
struct ProcessRequest {
  const Side& side;
  std::string id;
  Standpoint standpoint;
  std::int64_t position = 0;  ///< in its pair, from 0
  bool is_judged = false;     ///< that it fails by itself is an answer
};

/// How it ended.
struct ProcessEnd {
  std::optional<trial::TrialReply> reply;  ///< nothing: it failed, as run.trials.back() says, or:
  bool was_interrupted = false;            ///< then it is not noted
};

/// Runs it in a fresh folder, shows it, notes it in the ledger and in `run`. One that was killed
/// runs once more, as "<id>-again"; so does, of a side that is not judged, the first that fails by
/// itself. A recorded one must be there.
ProcessEnd run_process(const ProcessRequest& request,
                       campaign::CampaignResult& run,
                       const GateLoop& loop);

/// True when the baseline goes first in this round of pairs, from 1. Rounds come in blocks of two:
/// a fair coin for the first, the other way round for the second (ABBA or BAAB), so that a drift
/// that is linear in time cancels.
bool baseline_first(std::uint64_t seed, std::int64_t round);

/// The id of a process that runs once more.
std::string id_again(const std::string& id);

/// "p07-candidate", its second attempt "p07-candidate-2": also the name of its folder.
std::string process_id(std::int64_t pair, const std::string& side, std::int64_t attempt = 1);

/// How long one process takes at least, before any has run, from what it is asked to do. What steps
/// take is not known: slices of a number of steps count as nothing.
std::int64_t expected_process_ns(const trial::TrialSpec& spec);

/// Why a gate that was cut off before its first look says nothing; where its time was over, how
/// much it needs. `used_ns` so far.
std::string nothing_judged_text(const GateResult& result, End how, std::int64_t used_ns);

}  // namespace tune::gate
