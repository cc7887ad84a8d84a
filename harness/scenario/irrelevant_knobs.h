#pragma once

#include "machine/machine_facts.h"
#include "scenario/scenario.h"
#include "trial/knob_catalog.h"

#include <string>
#include <vector>

namespace tune::scenario {

/// A knob that makes no difference, whatever its value.
struct IrrelevantKnob {
  std::string knob;
  std::string reason;  ///< "the model has no convolutions"
};

/// The knobs that cannot matter in a cell with these settings on this machine. To teach tune one
/// more, add a line to the table in irrelevant_knobs.cpp; the worker must agree (worker/knob/).
std::vector<IrrelevantKnob> irrelevant_knobs(const trial::KnobSettings& settings,
                                             const Scenario& scenario,
                                             const machine::MachineFacts& machine);

}  // namespace tune::scenario
