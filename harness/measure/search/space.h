#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tune::search {

/// One knob of the grid with its levels, in the order of the scenario; numeric ones ascending.
struct Axis {
  std::string knob;
  std::vector<std::string> values;
  bool numeric = false;  ///< neighbouring levels behave alike
};

/// The cells that may be measured: a part of the product of the axes (forbidden and folded cells
/// are missing).
struct Space {
  std::vector<Axis> axes;
  std::vector<std::vector<std::size_t>> cells;  ///< [cell][axis] -> level; cells[0]: the baseline
  std::optional<std::size_t> memory_axis;       ///< a higher level needs more memory: batch_size
  std::vector<std::size_t> favoured;  ///< cells proposed by rules: tried first, kept longer
};

/// On how many axes the cell differs from the baseline.
std::size_t changed_knobs(const Space& space, std::size_t cell);

/// Whether the cell has a part of the changes of `whole`, fewer than all.
bool is_part_of(const Space& space, std::size_t cell, std::size_t whole);

/// Whether the two cells differ on the memory axis only, and `larger` is above `cell` there.
bool needs_more_memory(const Space& space, std::size_t larger, std::size_t cell);

/// On how many axes the two cells differ.
std::size_t distance(const Space& space, std::size_t a, std::size_t b);

}  // namespace tune::search
