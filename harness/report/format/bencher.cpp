#include "report/format/core_metric.h"
#include "report/format/formats.h"
#include "report/format/stored_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace tune::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kLongestName = 250;  // Bencher takes 1024 characters

struct Measure {
  std::string name;  ///< its slug in Bencher
  double factor = 1;
};

// Bencher's own measures have units: throughput in operations/s, latency in ns.
Measure measure_of(const std::string& metric) {
  if (metric == "step_time") {
    return {"latency", 1e9};
  }
  std::string name = metric;
  std::replace(name.begin(), name.end(), '_', '-');
  return {name, 1};
}

}  // namespace

std::string to_bencher(const result::Result& result, const FormatOptions& /*options*/) {
  Json json = Json::object();
  for (const CoreMetric& each : core_metrics(result)) {
    const auto [measure, factor] = measure_of(each.metric);
    const double value = *each.number.value * factor;
    if (!std::isfinite(value)) {
      continue;
    }
    Json& place = json[series_name(result, each.setting, kLongestName)][measure];
    place["value"] = value;
    if (each.number.lower && std::isfinite(*each.number.lower * factor) &&
        std::isfinite(*each.number.upper * factor)) {
      place["lower_value"] = *each.number.lower * factor;
      place["upper_value"] = *each.number.upper * factor;
    }
  }
  return json.dump(1, ' ', true, Json::error_handler_t::replace) + "\n";
}

}  // namespace tune::report
