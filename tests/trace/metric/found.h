#pragma once

// What tests of metrics ask for.

#include "trace/metric/metric.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace tune::metric {

/// The metric of that id; a test that asks for none fails.
inline const Metric& found(const std::vector<Metric>& metrics, std::string_view id) {
  for (const Metric& metric : metrics) {
    if (metric.id == id) {
      return metric;
    }
  }
  throw std::out_of_range("no metric " + std::string(id));
}

/// Its value; a test that asks for what is not applicable fails with the reason.
inline double value(const std::vector<Metric>& metrics, std::string_view id) {
  const Metric& metric = found(metrics, id);
  if (!metric.is_applicable()) {
    throw std::logic_error(std::string(id) + ": " + metric.reason);
  }
  return *metric.value;
}

/// Why it has no value, "" when it has one.
inline std::string reason(const std::vector<Metric>& metrics, std::string_view id) {
  const Metric& metric = found(metrics, id);
  return metric.is_applicable() ? "" : metric.reason;
}

inline bool warns(const Metric& metric, std::string_view word) {
  return std::find(metric.warnings.begin(), metric.warnings.end(), word) != metric.warnings.end();
}

}  // namespace tune::metric
