#pragma once

#include "result/result.h"

#include <string>
#include <vector>

namespace tune::report {

// The few numbers that are worth following from run to run.

enum class Better { bigger, smaller };

/// One of them, of one setting.
struct CoreMetric {
  std::string setting;
  std::string metric;  ///< throughput, step_time, epoch_time, data_wait_ratio, peak_memory_bytes
  Better better = Better::smaller;
  result::Number number;  ///< with a value
};

/// For each cell the ones that were measured, from its fresh trials where there are some; for a
/// gate the measured rows of both sides, as settings "baseline" and "candidate". In the result's
/// order.
std::vector<CoreMetric> core_metrics(const result::Result& result);

}  // namespace tune::report
