#include "cli/plan_loader.h"

#include "advice/gain_model.h"
#include "base/error.h"
#include "base/units.h"
#include "campaign/expected_decoding.h"
#include "gate/fingerprint.h"
#include "machine/user_folders.h"
#include "probe/probe_record.h"

#include <cmath>
#include <limits>
#include <optional>
#include <set>

namespace tune::cli {

namespace {

std::set<std::int64_t> worker_counts(const scenario::Scenario& scenario) {
  std::vector<trial::KnobValue> values = {scenario.baseline.at("num_workers")};
  for (const auto& [knob, axis] : scenario.grid) {
    if (knob == "num_workers") {
      values.insert(values.end(), axis.begin(), axis.end());
    }
  }
  std::set<std::int64_t> counts;
  for (const trial::KnobValue& value : values) {
    if (const auto* const count = std::get_if<std::int64_t>(&value)) {
      counts.insert(*count);
    }
  }
  return counts;
}

// Of whole frames, as the probe decodes them.
std::optional<double> decoding_s(const scenario::Scenario& scenario,
                                 const machine::MachineFacts& machine) {
  try {
    const auto probe = probe::load_probe(machine::data_folder(), gate::probed_machine_id(machine));
    return probe ? campaign::expected_decoding(*probe, scenario.data, scenario.workload.classes)
                       .seconds
                 : std::nullopt;
  } catch (const Error&) {  // `tune run` says what is wrong with it
    return std::nullopt;
  }
}

}  // namespace

std::string decoding_forecast(const scenario::Scenario& scenario,
                              const machine::MachineFacts& machine) {
  const auto seconds = decoding_s(scenario, machine);
  if (!seconds || scenario.baseline.at("decode") != trial::KnobValue("full")) {
    return "";
  }
  advice::LoaderModel model{.sample_cpu_s = *seconds,
                            .model_rate = std::numeric_limits<double>::infinity(),
                            .usable_cores = static_cast<double>(machine.cpus)};
  std::string text = "decoding takes about " +
                     format_time(static_cast<std::int64_t>(*seconds * 1e9)) + " an image: at most ";
  std::string separator;
  for (const std::int64_t workers : worker_counts(scenario)) {
    text += separator + std::to_string(std::llround(model.rate(workers))) +
            (separator.empty() ? " images/s with num_workers " : " with ") +
            std::to_string(workers);
    separator = ", ";
  }
  return text;
}

std::vector<std::optional<campaign::CellForecast>> cell_forecasts(
    const scenario::Scenario& scenario,
    const scenario::Plan& plan,
    const machine::MachineFacts& machine) {
  const auto seconds = decoding_s(scenario, machine);
  if (!seconds) {
    return {};
  }
  campaign::LoaderCosts costs = campaign::costs_before_a_run(*seconds);
  costs.model_rate = campaign::earlier_model_rate(scenario, machine, "tune-runs");
  return campaign::forecast_cells(scenario, plan, machine, costs);
}

std::string forecast_text(const std::optional<campaign::CellForecast>& forecast) {
  return forecast ? std::string(forecast->is_bound ? "at most " : "about ") +
                        std::to_string(std::llround(forecast->rate)) + " images/s"
                  : "";
}

}  // namespace tune::cli
