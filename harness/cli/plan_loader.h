#pragma once

#include "campaign/loader_forecast.h"
#include "machine/machine_facts.h"
#include "scenario/scenario.h"

#include <optional>
#include <string>
#include <vector>

namespace tune::cli {

/// What decoding allows a loader at most, for each num_workers of the baseline and the grid, before
/// anything has run: "decoding takes about 3.4ms an image: at most 294 images/s with num_workers 0,
/// 588 with 2". From the last `tune probe` of this machine; "" where that, or the scenario, does
/// not say it.
std::string decoding_forecast(const scenario::Scenario& scenario,
                              const machine::MachineFacts& machine);

/// What each cell of the plan should reach by the loader model, before anything has run: from the
/// same probe, and from the compute ceiling of the newest run of this scenario below ./tune-runs
/// where there is one. Nothing for cells of which it says nothing; empty where there is no probe.
std::vector<std::optional<campaign::CellForecast>> cell_forecasts(
    const scenario::Scenario& scenario,
    const scenario::Plan& plan,
    const machine::MachineFacts& machine);

/// "about 588 images/s", "at most 588 images/s"; "" where nothing is known.
std::string forecast_text(const std::optional<campaign::CellForecast>& forecast);

}  // namespace tune::cli
