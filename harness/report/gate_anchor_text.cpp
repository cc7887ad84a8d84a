#include "report/gate_anchor_text.h"

#include "gate/anchor.h"
#include "report/gate_text.h"
#include "report/number_text.h"

#include <cmath>

namespace tune::report {

std::string anchor_verdict_text(const gate::Anchor& anchor) {
  if (!anchor.skipped.empty()) {
    return "not compared: " + anchor.skipped;
  }
  const std::string row = deciding_row_text(anchor.rows, anchor.end, anchor.verdict);
  return gate::verdict_word(anchor.verdict) + ": " + (row.empty() ? anchor.why : row) +
         early_end_text(anchor.end, anchor.verdict, anchor.end_reason);
}

std::string anchor_move_text(const gate::Anchor& anchor) {
  if (!anchor.skipped.empty() || anchor.end != gate::End::judged || anchor.rows.empty()) {
    return "the anchor stays: nothing was judged against it";
  }
  const gate::Row* const holds = gate::holding_row(anchor);
  if (holds == nullptr) {
    return "the anchor may move to the candidate: nothing is worse by more than half of its budget";
  }
  if (holds->verdict == stats::GateVerdict::inconclusive &&
      holds->evidence.upper <= std::log1p(holds->budget_ratio / 2)) {
    return "the anchor stays: " + holds->metric + " is undecided, " + holds->why;
  }
  const double worst = std::expm1(holds->evidence.upper);
  return "the anchor stays: " + holds->metric +
         (std::isfinite(worst) ? " may be worse by " + share_text(worst)
                               : std::string(" may be worse by any amount")) +
         ", half of its budget is " + share_text(holds->budget_ratio / 2);
}

}  // namespace tune::report
