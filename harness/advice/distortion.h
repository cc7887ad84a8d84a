#pragma once

#include "advice/rule/catalog.h"
#include "advice/rule/fact_table.h"

namespace tune::advice {

/// The facts without the times of the profiled window, when recording stretched the step by more
/// than 15 % (the limit `dilation` of the rule profiler-distortion, where the catalogue has it).
/// Counts, sizes and settings stay: they are exact at any speed.
rule::FactTable without_distorted_times(const rule::Catalog& catalog, const rule::FactTable& facts);

}  // namespace tune::advice
