#pragma once

#include "metric/product_precision.h"
#include "metric/trace_input.h"

#include <cstdint>

namespace tune::metric {

/// Time within steps at which any thread of the host is in an operator of the kind, ns: what stands
/// for kernels on the CPU alone.
struct HostProducts {
  std::int64_t convolution_ns = 0;
  std::int64_t both_ns = 0;  ///< in a matrix product or a convolution
  /// Of products, convolutions, recurrent operators and attention: their own time, by their types.
  PrecisionTimes precision;
};

HostProducts host_products(const TraceInput& input);

}  // namespace tune::metric
