#pragma once

#include "advice/finding.h"
#include "advice/rule/catalog.h"
#include "advice/rule/fact_table.h"

#include <vector>

namespace tune::advice {

/// The facts without the times of the profiled window, when recording stretched the step by more
/// than 15 % (the limit `dilation` of the rule profiler-distortion, where the catalogue has it).
/// Counts, sizes and settings stay: they are exact at any speed.
rule::FactTable without_distorted_times(const rule::Catalog& catalog, const rule::FactTable& facts);

/// The facts without all that the profiled window says, when one of the findings that fired rejects
/// it (`rejects_window` of its rule): not even what was counted there is of the training.
rule::FactTable without_rejected_window(const std::vector<Finding>& findings,
                                        const rule::FactTable& facts);

}  // namespace tune::advice
