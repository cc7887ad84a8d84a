#include "scenario/plan.h"

#include "base/error.h"
#include "base/whole_number.h"
#include "scenario/impossible_case.h"
#include "scenario/machine.h"
#include "scenario/objective.h"
#include "trial/knob_relevance.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <limits>
#include <set>
#include <utility>
#include <vector>

namespace tune::scenario {

namespace {

using machine::MachineFacts;

constexpr std::int64_t kMostCells = 100'000;

// The product of the axes; more than kMostCells when it is larger than that.
std::int64_t count_cells(const Scenario& scenario) {
  std::int64_t cells = 1;
  for (const auto& [knob, axis] : scenario.grid) {
    cells = std::min(cells * static_cast<std::int64_t>(axis.size()), kMostCells + 1);
  }
  return cells;
}

// The last axis turns fastest, as nested loops in the file's order would.
trial::KnobSettings settings_of(const Scenario& scenario, std::int64_t index) {
  trial::KnobSettings settings = scenario.baseline;
  for (auto axis = scenario.grid.rbegin(); axis != scenario.grid.rend(); ++axis) {
    const auto size = static_cast<std::int64_t>(axis->second.size());
    settings[axis->first] = axis->second[static_cast<std::size_t>(index % size)];
    index /= size;
  }
  return settings;
}

class Planner {
 public:
  Planner(const Scenario& scenario, const MachineFacts& machine)
      : scenario_(scenario), machine_(machine), impossible_(impossible_cases(scenario, machine)) {}

  Plan make(const std::vector<trial::KnobSettings>& added) {
    plan_.grid_cells = count_cells(scenario_);
    if (plan_.grid_cells > kMostCells) {
      throw Error(Error::Parts{scenario_.file.string(),
                               "the grid has more than 100,000 combinations",
                               "every one would be a cell",
                               "fewer values"});
    }
    for (const Forbid& forbid : scenario_.forbid) {
      plan_.forbidden.push_back({forbid.text, 0});
    }
    for (const ImpossibleCase& impossible : impossible_) {
      plan_.forbidden.push_back({impossible.text, 0});
    }
    for (const Forbid& only : scenario_.only) {
      plan_.forbidden.push_back({"not (" + only.text + "), by --only", 0});
    }
    add_baseline();
    for (std::int64_t i = 0; i < plan_.grid_cells; ++i) {
      add(settings_of(scenario_, i));
    }
    std::for_each(added.begin(), added.end(), [&](const auto& settings) { add(settings); });
    std::erase_if(plan_.forbidden, [](const ForbiddenCells& entry) { return entry.cells == 0; });
    if (const std::string why = nothing_to_audit(scenario_, plan_);
        scenario_.exhaustive && !why.empty()) {
      note("--exhaustive: nothing to audit: " + why);
    }
    return std::move(plan_);
  }

 private:
  void add_baseline() {
    // --only cannot leave it out: every gain is against the baseline.
    const std::size_t forbidden = find_forbidden(scenario_.baseline);
    if (forbidden < plan_.forbidden.size()) {
      throw Error(Error::Parts{scenario_.file.string(),
                               "the baseline is forbidden",
                               "`" + plan_.forbidden[forbidden].text + "` is true for it",
                               ""});
    }
    seen_.insert(scenario_.baseline);
    plan_.cells.push_back({"baseline", scenario_.baseline, {}});
    if (!scenario_.workload.script.exists()) {  // of a script it is what it does by itself
      note_idle_baseline();
    }
  }

  void note_idle_baseline() {
    for (const trial::IgnoredKnob& idle : trial::idle_knobs(situation_of(scenario_.baseline))) {
      const auto usual = scenario_.baseline.find(idle.name);
      const trial::Knob* const knob = trial::find_knob(idle.name);  // none of a variable
      if (usual != scenario_.baseline.end() && knob != nullptr &&
          usual->second != knob->default_value) {
        note("the baseline's " + idle.name + " " + trial::to_text(usual->second) +
             " does nothing: " + idle.reason);
      }
    }
  }

  void add(const trial::KnobSettings& settings) {
    const trial::KnobSettings folded = fold(settings);
    if (is_left_out(settings, folded, &Planner::find_forbidden) || seen_.contains(folded) ||
        is_left_out(settings, folded, &Planner::find_not_asked_for)) {
      return;
    }
    seen_.insert(folded);
    Cell cell{.knobs = folded};
    for (const auto& [knob, value] : folded) {
      if (value != scenario_.baseline.at(knob)) {
        cell.changed.emplace(knob, value);
      }
    }
    std::array<char, 24> id{};
    std::snprintf(id.data(), id.size(), "c%02zu", plan_.cells.size());
    cell.id = id.data();
    plan_.cells.push_back(std::move(cell));
  }

  // Whether one of the two is named by an entry, and counts it there.
  bool is_left_out(const trial::KnobSettings& settings,
                   const trial::KnobSettings& folded,
                   std::size_t (Planner::*find)(const trial::KnobSettings&)) {
    for (const trial::KnobSettings* const candidate : {&settings, &folded}) {
      const std::size_t entry = (this->*find)(*candidate);
      if (entry < plan_.forbidden.size()) {
        ++plan_.forbidden[entry].cells;
        return true;
      }
    }
    return false;
  }

  // What cannot matter takes the baseline's value, so that equal cells become equal settings. One
  // knob may make another one irrelevant, hence the loop.
  trial::KnobSettings fold(trial::KnobSettings settings) {
    for (bool changed = true; changed;) {
      changed = false;
      for (const trial::IgnoredKnob& idle : trial::idle_knobs(situation_of(settings))) {
        const auto usual = scenario_.baseline.find(idle.name);  // a model has none of a script's
        if (usual != scenario_.baseline.end() && settings.at(idle.name) != usual->second) {
          settings[idle.name] = usual->second;
          count_collapsed(idle);
          changed = true;
        }
      }
    }
    return settings;
  }

  trial::KnobSituation situation_of(const trial::KnobSettings& settings) const {
    return {.settings = settings,
            .usual = scenario_.baseline,
            .workload = scenario_.workload,
            .data_source = scenario_.data.source,
            .on_cpu = machine_.device == "cpu",
            .cpu_flags = &machine_.cpu_flags};
  }

  void count_collapsed(const trial::IgnoredKnob& idle) {
    const auto found = std::find_if(
        plan_.collapsed.begin(), plan_.collapsed.end(), [&](const CollapsedKnob& entry) {
          return entry.knob == idle.name && entry.reason == idle.reason;
        });
    if (found == plan_.collapsed.end()) {
      plan_.collapsed.push_back({idle.name, idle.reason, 1});
    } else {
      ++found->cells;
    }
  }

  // The index of the entry that forbids these settings; past the end when none does. An expression
  // that is unknown here forbids nothing.
  std::size_t find_forbidden(const trial::KnobSettings& settings) {
    for (std::size_t i = 0; i < scenario_.forbid.size(); ++i) {
      const auto result = evaluate(scenario_.forbid[i], settings);
      if (const auto* const unknown = std::get_if<expression::Unknown>(&result)) {
        note("`" + scenario_.forbid[i].text +
             "` is unknown in some cells and forbids nothing there: " + unknown->reason);
      } else if (std::get<expression::Value>(result) == expression::Value::of(true)) {
        return i;
      }
    }
    return find_impossible(settings);
  }

  std::size_t find_impossible(const trial::KnobSettings& settings) const {
    const auto found =
        std::find_if(impossible_.begin(), impossible_.end(), [&](const ImpossibleCase& impossible) {
          return impossible.applies(settings);
        });
    return found == impossible_.end()
               ? plan_.forbidden.size()
               : scenario_.forbid.size() + static_cast<std::size_t>(found - impossible_.begin());
  }

  // The same for --only. What is unknown has not been asked for.
  std::size_t find_not_asked_for(const trial::KnobSettings& settings) {
    for (std::size_t i = 0; i < scenario_.only.size(); ++i) {
      const auto result = evaluate(scenario_.only[i], settings);
      if (const auto* const unknown = std::get_if<expression::Unknown>(&result)) {
        note("`" + scenario_.only[i].text +
             "` is unknown in some cells, which are left out: " + unknown->reason);
      } else if (std::get<expression::Value>(result) == expression::Value::of(true)) {
        continue;
      }
      return scenario_.forbid.size() + impossible_.size() + i;
    }
    return plan_.forbidden.size();
  }

  expression::Result evaluate(const Forbid& condition, const trial::KnobSettings& settings) const {
    return expression::evaluate(condition.parsed, [&](const std::string& name) {
      return forbid_value(name, settings, machine_);
    });
  }

  void note(const std::string& text) {
    if (std::find(plan_.notes.begin(), plan_.notes.end(), text) == plan_.notes.end()) {
      plan_.notes.push_back(text);
    }
  }

  const Scenario& scenario_;
  const MachineFacts& machine_;
  const std::vector<ImpossibleCase> impossible_;
  Plan plan_;
  std::set<trial::KnobSettings> seen_;  // the folded settings of every cell
};

// Leaves the baseline and every n-th other cell, so that neighbours in the grid, which take about
// as long, are spread over the shards. The cells keep their ids. Throws tune::Error where the
// strategy is not to measure all of them, or where some shard would have none.
void keep_shard(Plan& plan, const Scenario& scenario) {
  const Shard& shard = *scenario.shard;
  const std::string flag = "--shard " + to_text(shard);
  if (scenario.strategy != "grid") {
    throw Error(
        Error::Parts{flag,
                     "does not go with strategy " + scenario.strategy,
                     "what such a search measures next depends on all that it has measured, "
                     "and shards do not know each other's results",
                     "--strategy grid"});
  }
  const auto others = static_cast<std::int64_t>(plan.cells.size()) - 1;
  if (others > 0 && shard.of > others) {
    throw Error(Error::Parts{flag,
                             "leaves shards without a cell",
                             "the grid has " + std::to_string(others) +
                                 (others == 1 ? " cell" : " cells") + " besides the baseline",
                             "at most " + std::to_string(others) + " shards"});
  }
  std::vector<Cell> kept;
  for (std::size_t cell = 0; cell < plan.cells.size(); ++cell) {
    if (cell == 0 || static_cast<std::int64_t>(cell - 1) % shard.of == shard.index - 1) {
      kept.push_back(std::move(plan.cells[cell]));
    }
  }
  plan.notes.push_back("shard " + to_text(shard) + ": " + std::to_string(kept.size() - 1) + " of " +
                       std::to_string(others) +
                       " cells besides the baseline, nothing is confirmed; tune merge joins the "
                       "shards");
  plan.cells = std::move(kept);
}

}  // namespace

Plan make_plan(const Scenario& scenario,
               const MachineFacts& machine,
               const std::vector<trial::KnobSettings>& added) {
  Plan plan = Planner(scenario, machine).make(added);
  plan.on_gpu = machine.device == "cuda";
  if (std::string lost = lost_gpu_text(machine); !lost.empty()) {
    plan.notes.insert(plan.notes.begin(), std::move(lost));
  }
  if (!machine.used_gpu.empty()) {
    const bool has_several =
        std::any_of(plan.cells.begin(), plan.cells.end(), [](const Cell& cell) {
          const auto devices = cell.knobs.find("devices");
          return devices != cell.knobs.end() &&
                 devices->second != trial::KnobValue(std::int64_t{1});
        });
    plan.notes.insert(plan.notes.begin(),
                      (has_several ? "trials use as many GPUs as `devices` says, the first is "
                                   : "trials use one GPU, ") +
                          machine.used_gpu + "; CUDA_VISIBLE_DEVICES chooses " +
                          (has_several ? "others" : "another"));
  }
  if (std::string text = objective_text(scenario, machine); !text.empty()) {
    plan.notes.push_back(std::move(text));
  }
  if (scenario.shard) {
    keep_shard(plan, scenario);
  }
  return plan;
}

namespace {

constexpr std::int64_t kStartNs = 1'000'000'000;  // LibTorch loads, model and loader are built
// Python imports torch: 1.5 s on 2 cores of an EPYC once its files are in memory.
constexpr std::int64_t kScriptStartNs = 1'500'000'000;
// CUDA's libraries load and open the GPU. A process that does nothing else has its first product
// after 0.66 s on an H100, 0.83 s on an H200 (item 1 of tests/recorded/*/first_run.json).
constexpr std::int64_t kGpuStartNs = 660'000'000;

// Pairs at the first look at one cell (base/stats/looks.h), also where a precision is wanted.
constexpr std::int64_t kFirstLook = 7, kFirstPreciseLook = 9;

// A guided search measures about this part of the trials (tests/bench, search_simulation).
constexpr std::int64_t kGuidedPercent = 30;

// Both at least 0.
std::int64_t product(std::int64_t a, std::int64_t b) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / 4;
  return b != 0 && a > kMost / b ? kMost : a * b;
}

std::int64_t rounds_to_first_look(const Scenario& scenario) {
  const std::int64_t look = scenario.confirm_until ? kFirstPreciseLook : kFirstLook;
  return scenario.confirms() ? std::min(look, scenario.confirm_rounds.value_or(look)) : 0;
}

}  // namespace

std::int64_t start_up_ns(const trial::Workload& workload, bool on_gpu) {
  const std::int64_t seen_ns = workload.script.setup_ns;
  const std::int64_t program_ns = kStartNs + (workload.script.exists() ? kScriptStartNs : 0);
  return seen_ns > 0 ? seen_ns : program_ns + (on_gpu ? kGpuStartNs : 0);
}

PlanCost plan_cost(const Scenario& scenario, const Plan& plan) {
  const std::int64_t cells = static_cast<std::int64_t>(plan.cells.size());
  PlanCost cost;
  cost.confirm_rounds = rounds_to_first_look(scenario);
  cost.is_estimated = scenario.strategy == "guided" && cells >= kSmallestGuided;
  const std::int64_t whole = scenario.rounds * cells;
  const bool has_audit = scenario.exhaustive && nothing_to_audit(scenario, plan).empty();
  cost.audit_trials = has_audit ? whole : 0;
  cost.trials = cost.is_estimated ? whole * kGuidedPercent / 100 : whole;
  cost.trials += cost.audit_trials;
  cost.trials += cells > 1 ? 2 * cost.confirm_rounds : 0;
  cost.trial_ns = std::min(start_up_ns(scenario.workload, plan.on_gpu) +
                               std::min(scenario.measure.warmup_ns, scenario.trial_timeout_ns) +
                               product(scenario.measure.slices, scenario.measure.slice_ns),
                           scenario.trial_timeout_ns);
  cost.total_ns = product(cost.trials, cost.trial_ns);
  return cost;
}

std::string nothing_to_audit(const Scenario& scenario, const Plan& plan) {
  const auto cells = static_cast<std::int64_t>(plan.cells.size());
  if (cells < 2) {
    return "there is no cell but the baseline";
  }
  if (scenario.strategy == "grid") {
    return "strategy grid measures every cell whole";
  }
  if (scenario.strategy == "random") {  // a budget may end it early
    return scenario.budget_ns ? "" : "strategy random without a budget measures every cell whole";
  }
  return cells >= kSmallestGuided
             ? ""
             : "a guided search measures a grid of " + std::to_string(cells) +
                   " cells whole (fewer than " + std::to_string(kSmallestGuided) + ")";
}

namespace {

constexpr std::int64_t kMostShards = 10'000;

}  // namespace

std::optional<Shard> parse_shard(std::string_view text) {
  const auto slash = text.find('/');
  if (slash == std::string_view::npos) {
    return std::nullopt;
  }
  const auto index = parse_whole(text.substr(0, slash));
  const auto of = parse_whole(text.substr(slash + 1));
  if (!index || !of || *index < 1 || *index > *of || *of > kMostShards) {
    return std::nullopt;
  }
  return Shard{*index, *of};
}

std::string to_text(const Shard& shard) {
  return std::to_string(shard.index) + "/" + std::to_string(shard.of);
}

}  // namespace tune::scenario
