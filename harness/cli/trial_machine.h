#pragma once

#include "machine/machine_facts.h"
#include "trial/trial_spec.h"

#include <string>

namespace tune::cli {

/// The facts of this machine for trials of this workload: `device` is where they will run. `auto`
/// is a GPU where something shows a driver and the worker says that it can compute on it; `no_gpu`
/// tells why it cannot, also where `cuda` is asked for by name. Without a worker, which a plan does
/// not need, the driver's version decides.
machine::MachineFacts machine_of_trials(const trial::Workload& workload);

/// Throws tune::MachineError where trials would run on a GPU that cannot be had, with what to do.
void require_device(const machine::MachineFacts& machine,
                    const std::string& suggestion = "--set device=cpu");

}  // namespace tune::cli
