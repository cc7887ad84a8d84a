#include "gate/metric.h"

#include "campaign/epoch_time.h"
#include "campaign/taint.h"

#include <algorithm>
#include <cmath>

namespace tune::gate {

namespace {

using trial::TrialReply;
using trial::TrialSpec;

std::optional<double> epoch_time(const TrialReply& reply, const TrialSpec& spec) {
  const auto time = campaign::epoch_time(reply, spec);
  return time ? std::optional(time->total_s) : std::nullopt;
}

std::optional<double> throughput(const TrialReply& reply, const TrialSpec& /*spec*/) {
  return campaign::clean_rate(reply).rate;
}

std::optional<double> peak_memory(const TrialReply& reply, const TrialSpec& /*spec*/) {
  const std::int64_t bytes = trial::peak_memory_bytes(reply);
  return bytes > 0 ? std::optional(static_cast<double>(bytes)) : std::nullopt;
}

template <std::int64_t trial::Structure::*count>
std::optional<double> counted(const TrialReply& reply, const TrialSpec& /*spec*/) {
  return reply.structure ? std::optional(static_cast<double>(*reply.structure.*count))
                         : std::nullopt;
}

}  // namespace

const std::vector<Metric>& all_metrics() {
  using trial::Structure;
  static const std::vector<Metric> metrics = {
      {"epoch_time", "s", false, false, "time of one pass over the data", epoch_time},
      {"throughput", "samples/s", true, false, "samples per second", throughput},
      {"peak_memory_bytes", "B", false, false, "largest resident size of the process", peak_memory},
      {"operators",
       "calls",
       false,
       true,
       "operator calls of one step",
       counted<&Structure::operators>},
      {"backward_operators",
       "calls",
       false,
       true,
       "operator calls of one step's backward pass",
       counted<&Structure::backward_operators>},
      {"allocations",
       "calls",
       false,
       true,
       "tensor allocations of one step",
       counted<&Structure::allocations>},
      {"allocated_bytes",
       "B",
       false,
       true,
       "bytes that one step allocates",
       counted<&Structure::allocated_bytes>},
      {"batch_bytes", "B", false, true, "bytes of one batch", counted<&Structure::batch_bytes>},
  };
  return metrics;
}

const Metric* find_metric(std::string_view name) {
  const auto& metrics = all_metrics();
  const auto found = std::find_if(
      metrics.begin(), metrics.end(), [&](const Metric& metric) { return metric.name == name; });
  return found == metrics.end() ? nullptr : &*found;
}

std::vector<std::string> metric_names(bool counted) {
  std::vector<std::string> names;
  for (const Metric& metric : all_metrics()) {
    if (metric.is_counted == counted) {
      names.push_back(metric.name);
    }
  }
  return names;
}

std::vector<std::string> all_metric_names() {
  std::vector<std::string> names = metric_names(false);
  const std::vector<std::string> counted = metric_names(true);
  names.insert(names.end(), counted.begin(), counted.end());
  return names;
}

double log_worsening(const Metric& metric, double baseline, double candidate) {
  const double log_ratio = std::log(candidate / baseline);
  return metric.higher_is_better ? -log_ratio : log_ratio;
}

}  // namespace tune::gate
