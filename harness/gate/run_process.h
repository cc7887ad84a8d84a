#pragma once

#include "gate/gate_ledger.h"
#include "gate/gate_result.h"
#include "gate/watcher.h"
#include "runner/run_trial.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace tune::gate {

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

/// The id of a process that runs once more.
std::string id_again(const std::string& id);

/// "p07-candidate", its second attempt "p07-candidate-2": also the name of its folder.
std::string process_id(std::int64_t pair, const std::string& side, std::int64_t attempt = 1);

/// How long one process takes before any has run, from what it is asked to do.
std::int64_t expected_process_ns(const trial::Measure& measure);

}  // namespace tune::gate
