#pragma once

#include <cstdint>

namespace tune {
class Fields;
}

namespace tune::trial {

/// Host time of the parts of one or more steps, ns. They sum exactly to the wall time of the steps.
/// With a GPU they are mostly kernel launches; the synchronisation at the end of a slice is in
/// other_ns.
struct PhaseSums {
  std::int64_t data_wait_ns = 0;  ///< asking the loader for a batch (num_workers 0: decoding it)
  std::int64_t transfer_ns = 0;   ///< normalising, casting, laying out, copying to the device
  std::int64_t forward_ns = 0;    ///< with the loss
  std::int64_t backward_ns = 0;
  std::int64_t optimizer_ns = 0;  ///< step and zero_grad
  std::int64_t other_ns = 0;      ///< logging, checkpoints, bookkeeping, launching a CUDA graph

  std::int64_t total_ns() const {
    return data_wait_ns + transfer_ns + forward_ns + backward_ns + optimizer_ns + other_ns;
  }
  PhaseSums& operator+=(const PhaseSums& more);
  bool operator==(const PhaseSums&) const = default;
};

void fields_of(Fields& fields, PhaseSums& sums);

}  // namespace tune::trial
