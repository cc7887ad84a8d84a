#pragma once

#include "measure/gate/gate_result.h"

#include <string>

namespace tune::report {

/// A measured row of 10 pairs in which the candidate takes `worse` times as long.
gate::Row gate_row(const std::string& metric, double worse, stats::GateVerdict verdict);

/// An invented gate of resnet18 with one row, `throughput`, one count that changed, and one look.
gate::GateResult sample_gate(stats::GateVerdict verdict, double worse = 1.2);

/// The same across two commits with everything that a gate can have: 10 pairs with values, one that
/// was lost, a row of memory that passed, controls, a calibration, files that differ.
gate::GateResult measured_gate();

/// The same with a second comparison, which regressed where the first passed, and decides.
gate::GateResult anchored_gate();

}  // namespace tune::report
