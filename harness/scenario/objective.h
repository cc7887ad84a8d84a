#pragma once

#include "machine/machine_facts.h"
#include "scenario/scenario.h"

#include <string>

namespace tune::scenario {

/// Why the objective `mfu` means nothing for this workload, whatever the machine: which peak a
/// setting is held against follows from its knobs only for a model of the catalogue. "" where it
/// means something.
std::string why_no_mfu(const trial::Workload& workload);

/// What to know of the objective on this machine: that throughput replaces it, or that only the
/// trials can tell whether it can be had; else "". Throws tune::Error where `mfu` has no peak: on
/// the CPU, and on a GPU that is not in machine/device_peaks.h.
std::string objective_text(const Scenario& scenario, const machine::MachineFacts& machine);

}  // namespace tune::scenario
