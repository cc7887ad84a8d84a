#include "scenario/plan.h"

#include "base/units.h"
#include "cli/add_command.h"
#include "cli/commands.h"
#include "cli/own_files.h"
#include "cli/plain_row.h"
#include "cli/plan_json.h"
#include "cli/plan_loader.h"
#include "cli/scenario_flags.h"
#include "cli/show_plan.h"
#include "cli/trial_machine.h"
#include "cli/verbose.h"

#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>
#include <optional>
#include <vector>

namespace tune::cli {

namespace {

using scenario::Plan;
using scenario::PlanCost;
using scenario::Scenario;

std::string counted(std::int64_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

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
              << counted(collapsed.cells, "combination") << ")\n";
  }
  for (const scenario::ForbiddenCells& forbidden : plan.forbidden) {
    std::cout << "forbidden       " << forbidden.text << " ("
              << counted(forbidden.cells, "combination") << ")\n";
  }
}

void print_cost(const Scenario& scenario,
                const Plan& plan,
                const PlanCost& cost,
                const std::string& budget_source) {
  const std::string cells = counted(static_cast<std::int64_t>(plan.cells.size()), "cell");
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
  std::cout << scenario.name << ": " << counted(plan.grid_cells, "combination") << " in the grid, "
            << counted(static_cast<std::int64_t>(plan.cells.size()), "cell")
            << " to measure (the baseline is one)\n\n";
  print_cells(scenario, plan, false, forecasts);
  std::cout << '\n';
  print_left_out(plan);
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
      const auto scenario = read_with_overrides(flags->file, flags->scenario.overrides());
      if (!invocation.quiet) {
        tell_environment(flags->scenario);
      }
      if (invocation.verbose) {
        tell_settings(scenario, flags->scenario);
      }
      return leaves_no_cell(scenario, flags->file)
                 ? ExitCode::nothing_matched
                 : show_plan(scenario,
                             {.as_json = flags->as_json,
                              .as_plain = flags->as_plain,
                              .budget_source = flags->scenario.budget_source()});
    };
  });
}

}  // namespace tune::cli
