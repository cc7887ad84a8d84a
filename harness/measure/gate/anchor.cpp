#include "measure/gate/anchor.h"

#include <cmath>
#include <utility>

namespace tune::gate {

namespace {

constexpr double kPartOfBudget = 0.5;

bool is_certainly_near(const Row& row) {
  return row.verdict != stats::GateVerdict::regressed &&
         row.verdict != stats::GateVerdict::inconclusive &&
         row.evidence.upper <= std::log1p(kPartOfBudget * row.budget_ratio);
}

}  // namespace

int severity(stats::GateVerdict verdict) {
  return verdict == stats::GateVerdict::regressed      ? 2
         : verdict == stats::GateVerdict::inconclusive ? 1
                                                       : 0;
}

Anchor weigh_anchor(const GateResult& against_anchor) {
  Anchor anchor;
  anchor.words = against_anchor.baseline.words;
  anchor.directory = against_anchor.run.directory.string();
  anchor.end = against_anchor.end;
  anchor.end_reason = against_anchor.end_reason;
  anchor.rows = against_anchor.rows;
  anchor.verdict = against_anchor.verdict;
  anchor.why = against_anchor.why;
  anchor.code = exit_code(against_anchor);
  anchor.warnings = against_anchor.run.warnings;
  return anchor;
}

Anchor skipped_anchor(const std::string& words, const std::string& why) {
  Anchor anchor;
  anchor.words = words;
  anchor.skipped = why;
  return anchor;
}

void add_anchor(GateResult& result, Anchor anchor) {
  result.anchor = std::move(anchor);
  Anchor& added = *result.anchor;
  added.decides = added.skipped.empty() && severity(added.verdict) > severity(result.verdict);
  if (added.decides) {
    result.verdict = added.verdict;
    result.why = "against the anchor, " + added.words + ": " + added.why;
  }
}

const Row* holding_row(const Anchor& anchor) {
  const Row* worst = nullptr;
  for (const Row& row : anchor.rows) {
    if (!is_certainly_near(row) &&
        (worst == nullptr || row.evidence.upper > worst->evidence.upper)) {
      worst = &row;
    }
  }
  return worst;
}

bool may_move(const Anchor& anchor) {
  return anchor.skipped.empty() && anchor.end == End::judged && !anchor.rows.empty() &&
         holding_row(anchor) == nullptr;
}

}  // namespace tune::gate
