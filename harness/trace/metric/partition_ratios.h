#pragma once

#include "trace/metric/metric.h"
#include "trace/metric/trace_input.h"
#include "trace/role.h"

#include <string>

namespace tune::metric {

/// `partition_<role>_ratio`: time at which the role ran and nothing of a higher role did, ÷ all
/// steps. The eight sum to 1. Not applicable on a trace of the CPU alone for the roles of devices
/// and of calls into them.
Metric partition_ratio(const TraceInput& input, profile::Role role);

/// A range of the script, by name: an annotation (record_function), or a Python frame.
struct CoveringRange {
  std::string name;
  double ratio = 0;  ///< of the time in steps that no row of work explains, 0-1
};

/// Who owns the unexplained part of the steps: among the ranges that cover half of it or more, the
/// one that covers least of anything else; otherwise the one that covers most. An empty name
/// without a range, or where nothing is unexplained.
CoveringRange covering_range(const TraceInput& input);

/// `covering_range_ratio`: how much of the unexplained part that range covers.
Metric covering_range_ratio(const TraceInput& input);

/// `before_layers_ratio`: how much of the unexplained part lies before the first layer that a step
/// computes, where a script makes its batch. Not applicable where nothing is unexplained, or no
/// step has a layer.
Metric before_layers_ratio(const TraceInput& input);

}  // namespace tune::metric
