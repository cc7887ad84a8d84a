#pragma once

#include "machine/machine_facts.h"
#include "scenario/scenario.h"

#include <string>

namespace tune::cli {

/// What decoding allows a loader at most, for each num_workers of the baseline and the grid, before
/// anything has run: "decoding takes about 3.4ms an image: at most 294 images/s with num_workers 0,
/// 588 with 2". From the last `tune probe` of this machine; "" where that, or the scenario, does
/// not say it.
std::string decoding_forecast(const scenario::Scenario& scenario,
                              const machine::MachineFacts& machine);

}  // namespace tune::cli
