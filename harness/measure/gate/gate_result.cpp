#include "measure/gate/gate_result.h"

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

std::vector<Pair> all_pairs(const GateResult& result) {
  std::vector<Pair> pairs = result.pairs;
  pairs.insert(pairs.end(), result.lost_pairs.begin(), result.lost_pairs.end());
  return pairs;
}

bool is_of_rows(End end, stats::GateVerdict verdict) {
  const bool is_void = end == End::candidate_failed || end == End::incomparable;
  return end == End::judged || (!is_void && verdict == stats::GateVerdict::regressed);
}

namespace {

// Fine where the verdict says it all.
ExitCode code_of(End end) {
  switch (end) {
    case End::time_cap:
    case End::recording_over:
      return ExitCode::partial;
    case End::baseline_failed:
    case End::row_missing:
    case End::incomparable:
      return ExitCode::incomparable;
    case End::interrupted:
      return ExitCode::interrupted;
    case End::candidate_failed:
    case End::not_steady:
    case End::disturbed:
    case End::nothing_changed:
    case End::judged:
      break;
  }
  return ExitCode::fine;
}

ExitCode code_of(stats::GateVerdict verdict, Inconclusive inconclusive) {
  if (verdict == stats::GateVerdict::regressed) {
    return ExitCode::negative_verdict;
  }
  if (verdict != stats::GateVerdict::inconclusive) {
    return ExitCode::fine;
  }
  switch (inconclusive) {
    case Inconclusive::pass:
      return ExitCode::fine;
    case Inconclusive::fail:
      return ExitCode::negative_verdict;
    case Inconclusive::warn:
      break;
  }
  return ExitCode::inconclusive;
}

}  // namespace

ExitCode exit_code(const GateResult& result) {
  if (result.anchor && result.anchor->decides) {
    return result.anchor->code;  // the result shows the anchor's verdict
  }
  const ExitCode ended = code_of(result.end);
  const bool is_told_by_end =
      ended != ExitCode::fine && result.verdict == stats::GateVerdict::inconclusive;
  const ExitCode judged = is_told_by_end || result.policy.mode != Mode::enforce
                              ? ExitCode::fine
                              : code_of(result.verdict, result.policy.inconclusive);
  const ExitCode own = worse(judged, ended);
  return result.anchor ? worse(own, result.anchor->code) : own;
}

GateResult::GateResult() = default;
GateResult::GateResult(const GateResult&) = default;
GateResult::GateResult(GateResult&&) noexcept = default;
GateResult& GateResult::operator=(const GateResult&) = default;
GateResult& GateResult::operator=(GateResult&&) noexcept = default;
GateResult::~GateResult() = default;

}  // namespace tune::gate
