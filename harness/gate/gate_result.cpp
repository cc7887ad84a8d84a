#include "gate/gate_result.h"

namespace tune::gate {

std::string verdict_word(stats::GateVerdict verdict) {
  switch (verdict) {
    case stats::GateVerdict::pass:
      return "PASS";
    case stats::GateVerdict::regressed:
      return "REGRESSED";
    case stats::GateVerdict::improved:
      return "IMPROVED";
    case stats::GateVerdict::inconclusive:
      return "INCONCLUSIVE";
  }
  return "";
}

ExitCode verdict_code(const GateResult& result) {
  switch (result.end) {
    case End::time_cap:
    case End::recording_over:
      return ExitCode::partial;
    case End::candidate_failed:
      return ExitCode::negative_verdict;
    case End::baseline_failed:
    case End::row_missing:
    case End::incomparable:
      return ExitCode::incomparable;
    case End::interrupted:
      return ExitCode::interrupted;
    case End::not_steady:
    case End::disturbed:
    case End::nothing_changed:
    case End::judged:
      break;
  }
  if (result.verdict == stats::GateVerdict::regressed) {
    return ExitCode::negative_verdict;
  }
  if (result.verdict != stats::GateVerdict::inconclusive) {
    return ExitCode::fine;
  }
  switch (result.policy.inconclusive) {
    case Inconclusive::pass:
      return ExitCode::fine;
    case Inconclusive::fail:
      return ExitCode::negative_verdict;
    case Inconclusive::warn:
      break;
  }
  return ExitCode::inconclusive;
}

ExitCode exit_code(const GateResult& result) {
  const ExitCode code = verdict_code(result);
  const bool is_verdict = code == ExitCode::negative_verdict || code == ExitCode::inconclusive;
  const ExitCode own = is_verdict && result.policy.mode != Mode::enforce ? ExitCode::fine : code;
  return result.anchor ? worse(own, result.anchor->code) : own;
}

}  // namespace tune::gate
