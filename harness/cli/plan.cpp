#include "cli/plan.h"

#include "advice/gain_model.h"
#include "base/error.h"
#include "base/units.h"
#include "cli/commands.h"
#include "cli/flags.h"
#include "cli/prepare_inputs.h"
#include "cli/scenario_flags.h"
#include "cli/terminal.h"
#include "cli/trial_machine.h"
#include "cli/verbose.h"
#include "machine/machine_facts.h"
#include "machine/probe/probe_record.h"
#include "machine/user_folders.h"
#include "measure/campaign/limit_use.h"
#include "measure/campaign/loader_forecast.h"
#include "measure/gate/fingerprint.h"
#include "report/number_text.h"
#include "scenario/plan.h"
#include "scenario/scenario.h"

#include <CLI/App.hpp>
#include <nlohmann/json.hpp>

#include <cmath>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tune::cli {

namespace {

using nlohmann::ordered_json;

ordered_json to_json(const trial::KnobSettings& settings) {
  auto json = ordered_json::object();
  for (const auto& [knob, value] : settings) {
    std::visit([&json, &name = knob](const auto& plain) { json[name] = plain; }, value);
  }
  return json;
}

double to_seconds(std::int64_t ns) {
  return static_cast<double>(ns) / 1e9;
}

// {scenario, grid_cells, cells: [{id, knobs, changed, predicted_rate, predicted_is_bound}],
// collapsed: [{knob, reason, cells}], forbidden: [{text, cells}], notes, trials, trial_s_at_least,
// total_s_at_least, budget_s}. Additive.
std::string plan_to_json(const scenario::Scenario& scenario,
                         const scenario::Plan& plan,
                         const scenario::PlanCost& cost,
                         const std::vector<std::optional<campaign::CellForecast>>& forecasts = {}) {
  ordered_json json;
  json["scenario"] = scenario.name;
  json["grid_cells"] = plan.grid_cells;
  json["cells"] = ordered_json::array();
  for (std::size_t i = 0; i < plan.cells.size(); ++i) {
    const scenario::Cell& cell = plan.cells[i];
    ordered_json entry = {
        {"id", cell.id}, {"knobs", to_json(cell.knobs)}, {"changed", to_json(cell.changed)}};
    entry["predicted_rate"] = nullptr;
    entry["predicted_is_bound"] = nullptr;
    if (i < forecasts.size() && forecasts[i]) {
      entry["predicted_rate"] = forecasts[i]->rate;
      entry["predicted_is_bound"] = forecasts[i]->is_bound;
    }
    json["cells"].push_back(std::move(entry));
  }
  json["collapsed"] = ordered_json::array();
  for (const scenario::CollapsedKnob& entry : plan.collapsed) {
    json["collapsed"].push_back(
        {{"knob", entry.knob}, {"reason", entry.reason}, {"cells", entry.cells}});
  }
  json["forbidden"] = ordered_json::array();
  for (const scenario::ForbiddenCells& entry : plan.forbidden) {
    json["forbidden"].push_back({{"text", entry.text}, {"cells", entry.cells}});
  }
  json["notes"] = plan.notes;
  for (const std::string& note : scenario.notes) {
    json["notes"].push_back(note);
  }
  json["seed"] = nullptr;
  json["seed_reason"] = nullptr;
  if (scenario.has_seed) {
    json["seed"] = scenario.seed;
  } else {
    json["seed_reason"] = "drawn when the run begins";
  }
  json["trials"] = cost.trials;
  json["audit_trials"] = cost.audit_trials;
  json["trial_s_at_least"] = to_seconds(cost.trial_ns);
  json["total_s_at_least"] = to_seconds(cost.total_ns);
  json["budget_s"] = nullptr;
  if (scenario.budget_ns) {
    json["budget_s"] = to_seconds(*scenario.budget_ns);
  }
  return json.dump(2, ' ', false, ordered_json::error_handler_t::replace);
}

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

// For whole frames, as the probe decodes them.
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

// What decoding allows a loader at most, for each num_workers of the baseline and the grid, before
// anything has run: "decoding takes about 3.4ms an image: at most 294 images/s with num_workers 0,
// 588 with 2". From the last `tune probe` of this machine; "" where that, or the scenario, does
// not say it.
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

// What each cell of the plan should reach by the loader model, before anything has run: from the
// same probe, and from the compute ceiling of the newest run of this scenario below ./tune-runs
// where there is one. Nothing for cells of which it says nothing; empty where there is no probe.
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

// "about 588 images/s", "at most 588 images/s"; "" where nothing is known.
std::string forecast_text(const std::optional<campaign::CellForecast>& forecast) {
  return forecast ? std::string(forecast->is_bound ? "at most " : "about ") +
                        std::to_string(std::llround(forecast->rate)) + " images/s"
                  : "";
}

using scenario::Plan;
using scenario::PlanCost;
using scenario::Scenario;

using Forecasts = std::vector<std::optional<campaign::CellForecast>>;

void print_cells(const Scenario& scenario,
                 const Plan& plan,
                 bool as_plain,
                 const Forecasts& forecasts = {}) {
  trial::KnobSettings written;  // the baseline where it is not PyTorch's default, and every axis
  for (const auto& [knob, axis] : scenario.grid) {
    written.emplace(knob, scenario.baseline.at(knob));
  }
  for (std::size_t i = 0; i < plan.cells.size(); ++i) {
    const scenario::Cell& cell = plan.cells[i];
    std::string setting = trial::to_text(cell.changed.empty() ? written : cell.changed);
    const std::string forecast = i < forecasts.size() ? forecast_text(forecasts[i]) : "";
    setting += forecast.empty() ? "" : "  (" + forecast + ")";
    if (as_plain) {
      std::cout << plain_row({cell.id, setting});
    } else {
      std::cout << "  " << cell.id
                << std::string(cell.id.size() < 10 ? 10 - cell.id.size() : 1, ' ') << setting
                << '\n';
    }
  }
}

void print_left_out(const Plan& plan) {
  for (const scenario::CollapsedKnob& collapsed : plan.collapsed) {
    std::cout << "not applicable  " << collapsed.knob << ": " << collapsed.reason << " ("
              << report::counted(collapsed.cells, "combination") << ")\n";
  }
  for (const scenario::ForbiddenCells& forbidden : plan.forbidden) {
    std::cout << "forbidden       " << forbidden.text << " ("
              << report::counted(forbidden.cells, "combination") << ")\n";
  }
}

void print_cost(const Scenario& scenario,
                const Plan& plan,
                const PlanCost& cost,
                const std::string& budget_source) {
  const std::string cells = report::counted(static_cast<std::int64_t>(plan.cells.size()), "cell");
  if (cost.is_estimated) {
    std::cout << "trials          about " << cost.trials << ": a " << scenario.strategy
              << " search measures a part of " << scenario.rounds << " x " << cells;
  } else {
    std::cout << "trials          " << cost.trials << " = " << scenario.rounds << " x " << cells;
  }
  if (cost.audit_trials > 0) {
    std::cout << " + " << scenario.rounds << " x " << plan.cells.size() << " to audit the search";
  }
  if (plan.cells.size() > 1 && cost.confirm_rounds > 0) {
    std::cout << " + 2 x " << cost.confirm_rounds << " to confirm the best";
  }
  std::cout << "\ntime            at least " << format_time(cost.total_ns) << " ("
            << format_time(cost.trial_ns) << " a trial: start, warm-up, " << scenario.measure.slices
            << " slices; slow steps and data that must be made come on top)\n";
  std::cout << "seed            "
            << (scenario.has_seed ? std::to_string(scenario.seed) : "drawn when the run begins")
            << " (of the order of trials)\n";
  if (scenario.budget_ns) {
    std::cout << "budget          " << format_time(*scenario.budget_ns) << " (from "
              << (budget_source == "scenario" ? "the scenario)" : budget_source + ")")
              << (*scenario.budget_ns < cost.total_ns ? ": not enough for all trials\n" : "\n");
  }
}

}  // namespace

ExitCode show_plan(const Scenario& read, const PlanShown& how) {
  Scenario scenario = read;
  for (std::string& note : look_at_own_files(read)) {
    scenario.notes.push_back(std::move(note));
  }
  const machine::MachineFacts machine = machine_of_trials(scenario.workload);
  const Plan plan = scenario::make_plan(scenario, machine);
  const PlanCost cost = scenario::plan_cost(scenario, plan);
  const Forecasts forecasts = how.as_plain ? Forecasts() : cell_forecasts(scenario, plan, machine);
  if (how.as_json) {
    std::cout << plan_to_json(scenario, plan, cost, forecasts) << '\n';
    return ExitCode::fine;
  }
  if (how.as_plain) {
    print_cells(scenario, plan, true);
    return ExitCode::fine;
  }
  std::cout << scenario.name << ": " << report::counted(plan.grid_cells, "combination")
            << " in the grid, "
            << report::counted(static_cast<std::int64_t>(plan.cells.size()), "cell")
            << " to measure (the baseline is one)\n\n";
  print_cells(scenario, plan, false, forecasts);
  std::cout << '\n';
  print_left_out(plan);
  if (machine.gpus.size() == 1 && machine.usable_gpus == 1 && machine.no_gpu.empty()) {
    std::cout << "device          GPU 0 (" << machine.gpus.front() << ")\n";
  }
  for (const auto& notes : {plan.notes, scenario.notes}) {
    for (const std::string& note : notes) {
      std::cout << "note            " << note << '\n';
    }
  }
  if (const std::string forecast = decoding_forecast(scenario, machine); !forecast.empty()) {
    std::cout << "loader          " << forecast << '\n';
  }
  print_cost(scenario, plan, cost, how.budget_source);
  return ExitCode::fine;
}

void add_plan(CLI::App& app, Invocation& invocation) {
  CLI::App& command = add_command(
      app,
      {"plan",
       "Shows what `tune run` would measure on this machine, what makes no difference here and "
       "why, "
       "and how long it takes at least. Runs nothing.",
       {"tune plan scenarios/resnet18.yaml",
        "tune plan scenarios/resnet18.yaml --only \"num_workers > 0\" --set rounds=5"}});
  struct Flags {
    std::string file;
    ScenarioFlags scenario;
    bool as_json = false, as_plain = false;
  };
  const auto flags = std::make_shared<Flags>();
  command.add_option("FILE", flags->file, "Scenario; - is standard input")->required();
  add_scenario_flags(command, flags->scenario);
  CLI::Option* const json = command.add_flag("--json", flags->as_json, "One JSON document");
  command.add_flag("--plain", flags->as_plain, "Tab-separated: cell, what it changes")
      ->excludes(json);
  command.callback([&invocation, flags] {
    invocation.run = [&invocation, flags] {
      const auto overrides = flags->scenario.overrides();
      const std::string file = file_for_device(flags->file, overrides, invocation.quiet);
      const auto scenario = read_with_overrides(file, overrides);
      if (!invocation.quiet) {
        tell_environment(flags->scenario);
      }
      if (invocation.verbose) {
        tell_settings(scenario, flags->scenario);
      }
      return leaves_no_cell(scenario, file)
                 ? ExitCode::nothing_matched
                 : show_plan(scenario,
                             {.as_json = flags->as_json,
                              .as_plain = flags->as_plain,
                              .budget_source = flags->scenario.budget_source()});
    };
  });
}

}  // namespace tune::cli
