#include "trace/metric/metric.h"

#include "base/stats/quantile.h"
#include "base/stats/sign_interval.h"

#include <algorithm>
#include <utility>

namespace tune::metric {

Metric not_applicable(std::string id, std::string unit, std::string reason) {
  return {std::move(id), {.unit = std::move(unit), .reason = std::move(reason)}};
}

Metric not_applicable(const MetricName& name, const std::string& reason) {
  return not_applicable(std::string(name.id), std::string(name.unit), reason);
}

std::vector<Metric> not_applicable(std::span<const MetricName> names, const std::string& reason) {
  std::vector<Metric> metrics;
  metrics.reserve(names.size());
  for (const MetricName& name : names) {
    metrics.push_back(not_applicable(name, reason));
  }
  return metrics;
}

Metric of_samples(std::string id, std::string unit, const std::vector<double>& samples) {
  Metric metric(std::move(id), stats::number_of_samples(samples));
  metric.unit = std::move(unit);
  return metric;
}

bool has_in_any_case(std::string_view text, std::string_view lower_word) {
  const auto found = std::search(
      text.begin(), text.end(), lower_word.begin(), lower_word.end(), [](char a, char lower) {
        return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == lower;
      });
  return found != text.end();
}

NamesThat::NamesThat(const profile::Timeline& timeline, Predicate fits)
    : timeline_(timeline), fits_(fits), known_(timeline.strings.size(), Known::not_yet) {}

}  // namespace tune::metric
