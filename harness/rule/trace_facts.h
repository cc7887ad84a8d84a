#pragma once

#include "metric/metric.h"
#include "metric/trace_input.h"
#include "rule/fact_table.h"

#include <vector>

namespace tune::rule {

/// Adds every metric, with its reason where it has no value. Metrics that no rule may name are left
/// out.
void add_metrics(const std::vector<metric::Metric>& metrics,
                 const std::string& source,
                 const std::string& window,
                 FactTable& facts);

/// What rules can be evaluated on when there is nothing but a trace: its metrics with up to three
/// rows as examples (trace_examples.h), what it tells of device and settings (trace_settings.h),
/// and which operators read scalars.
FactTable facts_of_trace(const metric::TraceInput& input,
                         const std::vector<metric::Metric>& metrics);

}  // namespace tune::rule
