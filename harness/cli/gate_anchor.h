#pragma once

#include "cli/choose_baseline.h"
#include "cli/gate_request.h"
#include "measure/gate/gate_result.h"

#include <optional>

namespace tune::cli {

/// What --anchor names, and the gate that compares with it.
struct GateAnchor {
  GateRequest request;  ///< the same with the anchor as its baseline, and with its budget
  std::optional<GateRevisions> revisions;  ///< nothing: a stored baseline, or a file of one
  std::string words;                       ///< as typed
};

/// Nothing without --anchor. Throws what choose_baseline() throws, and tune::Error for flags that
/// do not go with it.
std::optional<GateAnchor> choose_anchor(const GateRequest& request);

/// Before anything is measured: throws for a budget that is none, and gate::Incomparable for a
/// stored anchor that does not go with the scenario, data and machine of `gate`.
void check_anchor(const GateAnchor& anchor, const gate::GateResult& gate);

/// Once the gate itself has judged: measures the candidate against the anchor, a gate of its own in
/// <directory>/anchor, and adds what it says. Skipped where the gate judged nothing. What goes
/// wrong here is a part of the result.
void compare_with_anchor(const GateAnchor& anchor, gate::GateResult& gate);

}  // namespace tune::cli
