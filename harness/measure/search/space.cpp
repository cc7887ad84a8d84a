#include "measure/search/space.h"

namespace tune::search {

std::size_t distance(const Space& space, std::size_t a, std::size_t b) {
  std::size_t different = 0;
  for (std::size_t axis = 0; axis < space.axes.size(); ++axis) {
    different += space.cells[a][axis] != space.cells[b][axis] ? 1 : 0;
  }
  return different;
}

std::size_t changed_knobs(const Space& space, std::size_t cell) {
  return distance(space, 0, cell);
}

bool is_part_of(const Space& space, std::size_t cell, std::size_t whole) {
  for (std::size_t axis = 0; axis < space.axes.size(); ++axis) {
    const std::size_t level = space.cells[cell][axis];
    if (level != space.cells[whole][axis] && level != space.cells[0][axis]) {
      return false;
    }
  }
  return cell != whole;
}

bool needs_more_memory(const Space& space, std::size_t larger, std::size_t cell) {
  if (!space.memory_axis || distance(space, larger, cell) != 1) {
    return false;
  }
  return space.cells[larger][*space.memory_axis] > space.cells[cell][*space.memory_axis];
}

}  // namespace tune::search
