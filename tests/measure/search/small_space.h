#pragma once

#include "measure/search/next_decision.h"
#include "measure/search/space.h"

#include <string>
#include <vector>

namespace tune::search {

/// The full product of numeric axes "a", "b", ... with that many levels each, first axis slowest.
inline Space product(const std::vector<std::size_t>& levels) {
  Space space;
  std::size_t count = 1;
  for (std::size_t axis = 0; axis < levels.size(); ++axis) {
    space.axes.push_back({std::string(1, static_cast<char>('a' + axis)), {}, true});
    for (std::size_t level = 0; level < levels[axis]; ++level) {
      space.axes.back().values.push_back(std::to_string(level));
    }
    count *= levels[axis];
  }
  for (std::size_t cell = 0; cell < count; ++cell) {
    std::vector<std::size_t> chosen(levels.size());
    std::size_t rest = cell;
    for (std::size_t axis = levels.size(); axis-- > 0; rest /= levels[axis]) {
      chosen[axis] = rest % levels[axis];
    }
    space.cells.push_back(chosen);
  }
  return space;
}

inline Measurement completed(std::size_t cell, std::int64_t block, double score) {
  return {.cell = cell, .block = block, .score = score};
}

inline Measurement ended(std::size_t cell, std::int64_t block, Ending ending) {
  return {.cell = cell, .block = block, .ending = ending};
}

/// The reason for which the cell is dropped, or "".
inline std::string reason(const Decision& decision, std::size_t cell) {
  for (const Dropped& dropped : decision.dropped) {
    if (dropped.cell == cell) {
      return dropped.reason;
    }
  }
  return "";
}

}  // namespace tune::search
