#pragma once

#include "result/result.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tune::report {

/// A knob that takes several values among the settings of a run.
struct ExploredKnob {
  std::string name;
  std::vector<trial::KnobValue> values;  ///< ascending: numbers by size, words by letters

  /// The value, at most 24 characters.
  std::string label(std::size_t value) const;
};

/// One setting as a point of the grid.
struct ExploredCell {
  const result::Cell* cell = nullptr;
  std::optional<double> rate;       ///< samples/s; nothing: it failed, or was not run
  std::vector<std::size_t> levels;  ///< which value it has, one a knob
};

/// What a run explored: every setting that it planned, the baseline first, by the knobs that differ
/// among them.
struct ExploredGrid {
  std::vector<ExploredKnob> knobs;  ///< by name; those that every setting has
  std::vector<ExploredCell> cells;  ///< in the result's order

  std::size_t measured() const;
};

/// Refers to the result, which must outlive it.
ExploredGrid explored_grid(const result::Result& result);

/// How much of the differences between settings one knob makes.
struct KnobImportance {
  std::size_t knob = 0;             ///< of the grid
  double share = 0;                 ///< of the variance of ln(samples/s), 0-1
  std::size_t best = 0, worst = 0;  ///< values
  double gain = 0;  ///< of the best value over the worst, the others kept; ratio - 1
};

struct Importance {
  std::vector<KnobImportance> knobs;  ///< the most important first
  double explained_ratio = 0;         ///< by all of them without interactions, 0-1
  std::string reason;                 ///< why it cannot be told, or ""
};

/// Main effects (stats::main_effects) of the knobs on ln(samples/s) of the settings that were
/// measured.
Importance importance_of(const ExploredGrid& grid);

/// All knobs of the grid: the most important first, then by name.
std::vector<std::size_t> knobs_by_importance(const ExploredGrid& grid,
                                             const Importance& importance);

/// How importance_of() tells, for readers.
const char* importance_method();

}  // namespace tune::report
