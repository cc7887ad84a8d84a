#include "in_process_worker.h"

#include "invented_reply.h"

#include <stdexcept>
#include <utility>

namespace tune::fake {

namespace {

constexpr std::int64_t kBootNs = 1'000'000'000'000;  // start of the clock; clocks are not 0

runner::TrialOutcome timed_out(const trial::TrialSpec& spec) {
  runner::TrialOutcome outcome;
  outcome.kind = runner::OutcomeKind::timed_out;
  outcome.phase = "measure";
  outcome.reason = "timed out in phase measure";
  outcome.end_ns = spec.timeout_ns;
  return outcome;
}

}  // namespace

InProcessWorker::InProcessWorker(Script script)
    : script_(std::move(script)), drift_(drift_of(script_)), now_ns_(kBootNs) {}

runner::TrialOutcome InProcessWorker::run(const trial::TrialSpec& spec) {
  runner::TrialOutcome outcome = outcome_of(spec);
  if (outcome.end_ns > spec.timeout_ns) {
    outcome = timed_out(spec);
  }
  outcome.start_ns = now_ns_;
  outcome.end_ns += now_ns_;
  now_ns_ = outcome.end_ns;
  return outcome;
}

// Its end, as if it had started at 0.
runner::TrialOutcome InProcessWorker::outcome_of(const trial::TrialSpec& spec) {
  const auto behaviour = behaviour_for(script_, spec);
  const std::string action = behaviour ? behaviour->action : "";
  if (action == "hang") {
    return timed_out(spec);
  }
  if (!action.empty() && action != "crash" && action != "refuse" && action != "out-of-memory") {
    throw std::runtime_error("fake script: '" + action + "' needs a process");
  }
  runner::TrialOutcome outcome;
  trial::TrialReply reply = invent_reply(script_, spec, {now_ns_, now_ns_ - kBootNs}, drift_);
  outcome.end_ns = duration_ns(reply);
  outcome.phase = "done";
  if (action == "crash") {
    outcome.kind = runner::OutcomeKind::crashed;
    outcome.reason = "SIGSEGV in phase measure";
  } else if (reply.failure) {
    outcome.kind = reply.failure->kind == "refused" ? runner::OutcomeKind::refused
                                                    : runner::OutcomeKind::out_of_memory;
    outcome.reason = reply.failure->message;
  } else {
    outcome.kind = runner::OutcomeKind::completed;
    if (spec.profile) {
      reply.profile.emplace().reason = "no process, no file";
    }
    outcome.reply = std::move(reply);
  }
  return outcome;
}

}  // namespace tune::fake
