#pragma once

#include "metric/trace_input.h"
#include "rule/fact_table.h"

namespace tune::rule {

/// Gives facts of a trace up to three of the rows that they are made of, the longest first: kernels
/// with the operator that launched them, calls with the operator that made them, gaps with what
/// lies in them. Facts without a value, or with the value 0, get none.
///
/// Adds `gap_host_cover`, what the host did in the longest gap of a device, and `input_dims`, the
/// shapes of the longest product whose sizes miss the tensor cores.
void add_examples(const metric::TraceInput& input, FactTable& facts);

}  // namespace tune::rule
