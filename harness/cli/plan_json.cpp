#include "cli/plan_json.h"

#include <nlohmann/json.hpp>

#include <utility>

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

}  // namespace

std::string plan_to_json(const scenario::Scenario& scenario,
                         const scenario::Plan& plan,
                         const scenario::PlanCost& cost,
                         const std::vector<std::optional<campaign::CellForecast>>& forecasts) {
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

}  // namespace tune::cli
