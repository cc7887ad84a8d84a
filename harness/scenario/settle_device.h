#pragma once

#include "machine/machine_facts.h"
#include "scenario/scenario.h"

#include <string>

namespace tune::scenario {

/// Where trials run that ask for `asked` (auto, cpu or cuda): "cpu" or "cuda". What is asked for by
/// name is taken at its word, so that a worker that cannot have it says why.
std::string settled_device(const std::string& asked, bool has_gpu);

/// What trials of this machine lose: "trials run on the CPU: the driver supports CUDA 12.4, ...",
/// or that what a scenario asks for by name cannot be had; "" where the device is what one expects.
std::string lost_gpu_text(const machine::MachineFacts& machine);

/// Writes into the scenario what its words mean on the device of its trials: `auto` is that device,
/// and activities that the file does not name are those that it has.
void settle_device(Scenario& scenario, const std::string& device);

}  // namespace tune::scenario
