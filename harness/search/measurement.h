#pragma once

#include <cstddef>
#include <cstdint>

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

}  // namespace tune::search
