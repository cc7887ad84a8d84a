#pragma once

#include "machine/machine_facts.h"
#include "scenario/scenario.h"
#include "trial/knob_catalog.h"

#include <functional>
#include <string>
#include <vector>

namespace tune::scenario {

/// Cells that the worker would refuse here, so that a plan forbids them.
struct ImpossibleCase {
  std::string text;  ///< as an expression of `forbid` would say it, with what it cannot say
  std::function<bool(const trial::KnobSettings&)> applies;
};

/// Those of this scenario and machine, which must outlive them.
std::vector<ImpossibleCase> impossible_cases(const Scenario& scenario,
                                             const machine::MachineFacts& machine);

}  // namespace tune::scenario
