#pragma once

#include "measure/runner/worker_process.h"
#include "trial/trial_reply.h"
#include "trial/trial_spec.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tune::runner {

/// How a trial ended. Everything but `completed` is a result with a reason, not an error.
enum class OutcomeKind {
  completed,      ///< the reply is there and whole
  crashed,        ///< ended by a signal or a bare exit code before the reply
  timed_out,      ///< killed by us at a deadline
  out_of_memory,  ///< bad_alloc, the cgroup's OOM killer, or probably so (a bare SIGKILL)
  refused,        ///< the worker said why it cannot run this
  garbled,        ///< it ended well but what it wrote makes no sense
  interrupted     ///< we were asked to stop (Ctrl-C): the trial does not count
};

std::string_view name(OutcomeKind kind);  ///< "timed-out", "out-of-memory"
std::optional<OutcomeKind> parse_outcome_kind(std::string_view name);

/// When a phase line arrived, by the orchestrator's own clock.
struct PhaseArrival {
  std::string phase;
  std::int64_t seen_ns = 0;    ///< CLOCK_MONOTONIC of the orchestrator on arrival
  std::int64_t worker_ns = 0;  ///< what the line says
};

struct TrialOutcome {
  OutcomeKind kind = OutcomeKind::garbled;
  /// By a signal that nobody sends himself: it may have been meant for a neighbour.
  bool was_killed = false;
  std::string reason;       ///< "SIGSEGV in phase warmup", "no reply after 120s in phase measure"
  std::string phase;        ///< the last one begun
  std::string stderr_tail;  ///< at most 2 KiB, for failures
  std::vector<PhaseArrival> arrivals;
  std::int64_t start_ns = 0, end_ns = 0;   ///< exec and reaped
  std::optional<trial::TrialReply> reply;  ///< only when completed
  /// Energy of the GPU in the measured window, by the driver's counter; nothing: not counted.
  std::optional<double> device_joules;
  /// Names of the user's environment variables that the worker did not get.
  std::vector<std::string> removed_variables;
};

/// The reply in a trial's folder, or why there is none that can be believed.
struct ReadReply {
  std::optional<trial::TrialReply> reply;
  bool is_missing = false;  ///< there is no file at all
  std::string problem;      ///< "slices[0].steps is missing"; printable, the file is not named
};

/// Reads <folder>/reply.json: a plain file of bounded size that answers this very trial. The only
/// reader of replies, right after a trial and years later. Throws MachineError when it is there, or
/// may be, and cannot be read now: that says nothing about the trial.
ReadReply read_reply(const trial::TrialSpec& spec);

/// What was seen of a trial from outside.
struct Evidence {
  ProcessEnd end;
  std::string interrupted;     ///< why we ended it before its time, "" when we did not
  bool stop_asked = false;     ///< by its end we had been asked to stop
  std::string timed_out;       ///< the deadline at which we ended it, "" when we did not
  std::string phase;           ///< the last one begun
  std::string phase_problem;   ///< of the phase lines
  bool wanted_memory = false;  ///< it printed that it got no memory
  bool kernel_killed = false;  ///< the control group counts one more kill by the OOM killer
};

/// Sets kind, reason and reply of the outcome; reads <folder>/reply.json. Throws a MachineError
/// where the worker says that the machine, not the trial, kept it from its reply.
void classify(const trial::TrialSpec& spec, const Evidence& evidence, TrialOutcome& outcome);

}  // namespace tune::runner
