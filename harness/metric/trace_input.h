#pragma once

#include "metric/metric.h"
#include "profile/launches.h"
#include "profile/partition.h"
#include "profile/runtime_split.h"
#include "profile/timeline.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tune::metric {

/// What the metrics of a trace are functions of: the timeline, and what several of them need, once.
struct TraceInput {
  const profile::Timeline& timeline;
  profile::Partition partition;
  profile::Launches launches;
  profile::RuntimeSplit runtime;
};

TraceInput examine(const profile::Timeline& timeline);

/// Why nothing can be said about steps; "" when there are any.
std::string why_no_steps(const TraceInput& input);

/// ns ÷ all steps, with the labels that every share of steps has. Needs a step.
Metric share_of_steps(std::string id, std::int64_t ns, const TraceInput& input);

/// Adds no-step-marks, one-step and cut-by-memory where they hold.
void label_steps(Metric& metric, const TraceInput& input);

}  // namespace tune::metric
