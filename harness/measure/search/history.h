#pragma once

#include "measure/search/likeness.h"
#include "measure/search/space.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tune::search {

enum class Ending {
  completed,
  out_of_memory,  ///< the cell is given up, and larger ones with it
  failed,         ///< the cell is given up
  infeasible,     ///< it ran and violates a constraint: its score teaches, the cell is given up
  unusable,       ///< no score this time (a first crash, a disturbed trial): may be tried again
};

/// One finished trial.
struct Measurement {
  std::size_t cell = 0;
  std::int64_t block = 0;  ///< Block::number of the block that it belongs to
  std::int64_t slices = 1;
  Ending ending = Ending::completed;
  double score = 0;  ///< ln of the rate, higher is better; of completed and infeasible ones
  std::int64_t peak_memory_bytes = 0;
};

/// What the measurements so far say about one cell.
struct CellState {
  std::string given_up;        ///< why no trial of it may follow, or ""
  std::int64_t completed = 0;  ///< trials with a score that may be recommended
  std::vector<std::int64_t> peak_memory_bytes;
};

/// The measurements, by cell and by block.
struct History {
  std::vector<CellState> cells;
  std::vector<Observation> observations;
  std::map<std::int64_t, std::vector<std::size_t>> blocks;  ///< cells with a trial, as they ended
  std::map<std::int64_t, std::int64_t> slices_of_block;
  std::int64_t slices = 0;  ///< of all trials

  bool open(std::size_t cell) const { return cells[cell].given_up.empty(); }
  bool measured(std::size_t cell) const { return open(cell) && cells[cell].completed > 0; }
};

/// Takes one more measurement in. Larger cells than one that ran out of memory are given up with
/// it.
void add(const Space& space, const Measurement& measurement, History& history);

/// Only what belongs to blocks before `end`.
History read_history(const Space& space,
                     const std::vector<Measurement>& measurements,
                     std::int64_t end);

/// All of it.
History read_history(const Space& space, const std::vector<Measurement>& measurements);

}  // namespace tune::search
