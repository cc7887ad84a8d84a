#pragma once

#include <map>
#include <string>
#include <vector>

namespace tune::report {

struct OpenMetricsSample {
  std::string name;
  std::map<std::string, std::string> labels;  ///< as they were before they were escaped
  double value = 0;
};

/// What a strict reader of OpenMetrics 1.0 text sees (its ABNF and the sections on metric types, as
/// far as gauges, state sets and infos need them).
struct OpenMetricsText {
  std::string problem;  ///< the first, with its line; "" when there is none
  std::vector<OpenMetricsSample> samples;
};

OpenMetricsText read_openmetrics(const std::string& text);

}  // namespace tune::report
