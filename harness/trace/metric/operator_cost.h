#pragma once

#include "trace/intervals.h"
#include "trace/metric/metric.h"
#include "trace/metric/trace_input.h"

#include <cstdint>
#include <vector>

namespace tune::metric {

/// Rows of one kind within steps, each with all that it calls.
struct OperatorCost {
  double count = 0;     ///< rows that lie in no other of the kind, in all steps together
  std::int64_t ns = 0;  ///< exposed_ns() of them
};

/// The operators whose name fits.
OperatorCost operator_cost(const TraceInput& input, NamesThat::Predicate fits);

/// ns of steps at which a device works for the rows of the host, or the host is in one of them and
/// no device works: what they can save at most. `host`: their times; `work`: that of devices.
std::int64_t exposed_ns(const TraceInput& input,
                        std::vector<profile::Interval> host,
                        std::vector<profile::Interval> work);

}  // namespace tune::metric
