#pragma once

#include "gate/calibration.h"
#include "gate/gate_result.h"

#include <optional>

namespace tune::cli {

/// What this machine can detect, where it was calibrated for what is gated; the result says so, or
/// that it was not. Throws tune::Error for a budget that is below it and is to be enforced.
std::optional<gate::Calibration> find_calibration(gate::GateResult& result);

/// Two equal sides measure the noise of the machine for free.
void add_to_calibration(const gate::GateResult& result, gate::Calibration calibration);

}  // namespace tune::cli
