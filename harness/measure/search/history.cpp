#include "measure/search/history.h"

#include "base/assert.h"

#include <cmath>
#include <limits>

namespace tune::search {

namespace {

void give_up(CellState& state, const char* reason) {
  if (state.given_up.empty()) {
    state.given_up = reason;
  }
}

void add_score(History& history, const Measurement& measurement) {
  TUNE_ASSERT(std::isfinite(measurement.score));
  history.observations.push_back(
      {measurement.cell, measurement.block, measurement.slices, measurement.score});
}

void give_up_larger(const Space& space, History& history, std::size_t cell) {
  give_up(history.cells[cell], "it ran out of memory");
  for (std::size_t other = 0; other < space.cells.size(); ++other) {
    if (needs_more_memory(space, other, cell)) {
      give_up(history.cells[other], "a smaller batch of the same cell ran out of memory");
    }
  }
}

}  // namespace

void add(const Space& space, const Measurement& measurement, History& history) {
  TUNE_ASSERT(measurement.cell < space.cells.size() && measurement.block >= 0);
  history.cells.resize(space.cells.size());
  CellState& state = history.cells[measurement.cell];
  history.blocks[measurement.block].push_back(measurement.cell);
  history.slices_of_block[measurement.block] = measurement.slices;
  history.slices += measurement.slices;
  switch (measurement.ending) {
    case Ending::completed:
      add_score(history, measurement);
      ++state.completed;
      state.peak_memory_bytes.push_back(measurement.peak_memory_bytes);
      break;
    case Ending::infeasible:
      add_score(history, measurement);
      give_up(state, "it violates a constraint");
      break;
    case Ending::out_of_memory:
      give_up_larger(space, history, measurement.cell);
      break;
    case Ending::failed:
      give_up(state, "its trials failed");
      break;
    case Ending::unusable:
      break;
  }
}

History read_history(const Space& space,
                     const std::vector<Measurement>& measurements,
                     std::int64_t end) {
  History history;
  history.cells.resize(space.cells.size());
  for (const Measurement& measurement : measurements) {
    if (measurement.block < end) {
      add(space, measurement, history);
    }
  }
  return history;
}

History read_history(const Space& space, const std::vector<Measurement>& measurements) {
  return read_history(space, measurements, std::numeric_limits<std::int64_t>::max());
}

}  // namespace tune::search
