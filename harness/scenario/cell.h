#pragma once

#include "machine/machine_facts.h"
#include "scenario/scenario.h"
#include "trial/knob_value.h"

#include <cstdint>
#include <string>
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
};

/// Expands the grid, drops forbidden cells, folds equal ones. `amp: fp16` is forbidden on a CPU
/// that cannot compute in it, and so are back ends of attention that only a GPU has: the worker
/// would refuse them. Throws tune::Error when the grid is larger than 100,000 combinations or the
/// baseline itself is forbidden. Of a shard only its cells (scenario/shard.h). A `forbid` that is
/// unknown forbids nothing and leaves a note. `added`: further settings, every knob of each, that
/// become cells after those of the grid by the same rules; the ids of the others stay.
Plan make_plan(const Scenario& scenario,
               const machine::MachineFacts& machine,
               const std::vector<trial::KnobSettings>& added = {});

}  // namespace tune::scenario
