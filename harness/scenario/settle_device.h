#pragma once

#include "scenario/scenario.h"

#include <string>

namespace tune::scenario {

/// Where trials run that ask for `asked` (auto, cpu or cuda): "cpu" or "cuda". What is asked for by
/// name is taken at its word, so that a worker that cannot have it says why.
std::string settled_device(const std::string& asked, bool has_gpu);

/// Writes into the scenario what its words mean on the device of its trials: `auto` is that device,
/// and activities that the file does not name are those that it has.
void settle_device(Scenario& scenario, const std::string& device);

}  // namespace tune::scenario
