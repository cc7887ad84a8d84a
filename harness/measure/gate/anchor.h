#pragma once

#include "measure/gate/gate_result.h"

#include <string>

namespace tune::gate {

/// REGRESSED before INCONCLUSIVE before the others, which fail nobody.
int severity(stats::GateVerdict verdict);

/// What the gate against something older says, as a part of the other gate's result.
Anchor weigh_anchor(const GateResult& against_anchor);

/// One that was not compared, and why.
Anchor skipped_anchor(const std::string& words, const std::string& why);

/// Makes it a part of a result; where it says worse, the result's verdict is the anchor's.
void add_anchor(GateResult& result, Anchor anchor);

/// The row that holds the anchor where it is: the worst that is not certainly within half of its
/// budget. Null when there is none.
const Row* holding_row(const Anchor& anchor);

/// Whether the candidate may become the next anchor: everything was judged, and nothing is worse by
/// more than half of its budget. A nearer anchor would forget what was lost since this one.
bool may_move(const Anchor& anchor);

}  // namespace tune::gate
