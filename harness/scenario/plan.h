#pragma once

#include "machine/machine_facts.h"
#include "scenario/scenario.h"
#include "trial/knob_catalog.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tune::scenario {

/// One combination of knob values that is measured.
struct Cell {
  std::string id;               ///< "baseline" or "c01", "c02", ... in grid order
  trial::KnobSettings knobs;    ///< every knob of the catalogue
  trial::KnobSettings changed;  ///< those that differ from the baseline
};

/// A grid axis that cannot matter here, at least in some cells.
struct CollapsedKnob {
  std::string knob, reason;  ///< "pin_memory", "the trials run on the CPU"
  std::int64_t cells = 0;    ///< of the full grid that this made equal to others
};

struct ForbiddenCells {
  std::string text;  ///< the expression
  std::int64_t cells = 0;
};

/// The grid of a scenario as it is on this machine.
struct Plan {
  std::vector<Cell>
      cells;  ///< cells[0] is the baseline; the others differ from it and from one another
  std::int64_t grid_cells = 0;  ///< the full product
  std::vector<CollapsedKnob> collapsed;
  std::vector<ForbiddenCells> forbidden;
  std::vector<std::string> notes;  ///< e.g. that a `forbid` cannot be decided on this machine
  bool on_gpu = false;             ///< the trials compute there
};

/// Expands the grid, drops forbidden cells, folds equal ones. `amp: fp16` is forbidden on a CPU
/// that cannot compute in it, and so are back ends of attention that only a GPU has: the worker
/// would refuse them. Throws tune::Error when the grid is larger than 100,000 combinations or the
/// baseline itself is forbidden. Of a shard only its cells. A `forbid` that is
/// unknown forbids nothing and leaves a note. `added`: further settings, every knob of each, that
/// become cells after those of the grid by the same rules; the ids of the others stay.
Plan make_plan(const Scenario& scenario,
               const machine::MachineFacts& machine,
               const std::vector<trial::KnobSettings>& added = {});

/// How much a plan is, before anything has been measured.
struct PlanCost {
  std::int64_t trials = 0;          ///< rounds x cells, the audit, and two a confirmation round
  bool is_estimated = false;        ///< the search decides on its way how much it measures
  std::int64_t audit_trials = 0;    ///< of `trials`: every cell again, in full, to judge the search
  std::int64_t confirm_rounds = 0;  ///< to the first look at one cell; 0: nothing is confirmed
  std::int64_t trial_ns = 0;        ///< at least: start, warm-up, slices
  std::int64_t total_ns = 0;  ///< at least: trials x trial_ns; data that must be made comes on top
};

/// What a process takes before its first step: as seen of a script (`workload: setup`), else what
/// libraries, model and loader take at least.
std::int64_t start_up_ns(const trial::Workload& workload, bool on_gpu);

PlanCost plan_cost(const Scenario& scenario, const Plan& plan);

/// A guided search measures grids with fewer cells whole: a model of so few saves nothing.
constexpr std::int64_t kSmallestGuided = 16;

/// Why an audit of the search (`exhaustive`) would measure nothing new, "strategy grid measures
/// every cell whole"; "" where it would.
std::string nothing_to_audit(const Scenario& scenario, const Plan& plan);

/// "2/4"; nothing for other text, a part that is not among so many, or more than 10,000 of them.
std::optional<Shard> parse_shard(std::string_view text);

/// "2/4".
std::string to_text(const Shard& shard);

}  // namespace tune::scenario
