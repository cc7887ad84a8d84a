#pragma once

#include "report/run_differences.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tune::report {

// Two runs, or gates, beside each other. They were measured at different times and not in pairs, so
// that nothing here is a verdict.

/// B beside A.
enum class Relation {
  no_interval,   ///< of one of them, so that nothing can be said
  within_noise,  ///< the intervals overlap
  equal,         ///< one and the same number, without noise: of counts
  faster,
  slower,
  higher,  ///< where it is not a speed
  lower
};

/// "no interval", "within noise", ...
const char* name(Relation relation);

/// "NO_INTERVAL", "WITHIN_NOISE", ...: report/reason_code.h.
std::string code_of(Relation relation);

struct ComparedMetric {
  std::string id, unit;
  result::Number a, b;             ///< both with a value
  std::string window_a, window_b;  ///< "confirm": fresh pairs of a run; "search", ...
  /// B / A - 1; of a ratio B - A; nothing where A is 0.
  std::optional<double> change;
  Relation relation = Relation::no_interval;
};

/// One cell of A beside one of B.
struct ComparedCells {
  std::string a, b;                  ///< ids
  std::string setting_a, setting_b;  ///< in words
  /// Knobs that both know and set otherwise: name, value in A, value in B.
  struct Knob {
    std::string name, a, b;
  };
  std::vector<Knob> knobs;
  std::vector<ComparedMetric> metrics;  ///< that both have
};

/// Cells to put beside each other: the id in A, the id in B.
using CellPair = std::pair<std::string, std::string>;

/// The baselines, and the cells that the headlines are about, or the candidates of two gates; those
/// that both have.
std::vector<CellPair> usual_cells(const ComparedRun& a, const ComparedRun& b);

/// The id of "best", of a cell by its id, or of a gate's side. Throws tune::Error, with the nearest
/// id as suggestion, when the run has no such cell; `where` is what it blames.
std::string find_cell(const ComparedRun& run, const std::string& word, const std::string& where);

/// What is usually asked, in this order: speed, gain over the baseline of the same run, wait for
/// data, memory.
const std::vector<std::string>& usual_metrics();

/// With every metric that both have, in A's order.
ComparedCells compare_cells(const ComparedRun& a, const ComparedRun& b, const CellPair& cells);

struct RunComparison {
  ComparedRun a, b;
  std::vector<RunDifference> differences;
  std::vector<ComparedCells> cells;
  bool has_usual_cells = true;  ///< false: the user named them
};

/// What to know besides the numbers: a run that is not complete, data that nobody can tell apart, a
/// best cell that one lacks, numbers of different windows.
std::vector<std::string> notes_on(const RunComparison& comparison);

/// Why none of it is a verdict, and what makes one.
constexpr const char* kNoVerdict =
    "A and B were measured at different times, not in pairs: what the machine did meanwhile is in "
    "every change, also where the intervals are apart. This is not a verdict; tune gate gives one.";

}  // namespace tune::report
