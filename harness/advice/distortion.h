#pragma once

#include "advice/finding.h"
#include "advice/rule/catalog.h"
#include "advice/rule/fact_table.h"

#include <vector>

namespace tune::advice {

/// The facts without the times of the profiled window, when recording stretched the step by more
/// than 15 % (the limit `dilation` of the rule profiler-distortion, where the catalogue has it).
/// Counts, sizes and settings stay: they are exact at any speed. So do kernels, which recording
/// leaves as they are: their shares of one another as they were recorded, those of a step over the
/// step as it was measured, and what a GPU waits for the host at least.
rule::FactTable without_distorted_times(const rule::Catalog& catalog, const rule::FactTable& facts);

/// The facts without all that the profiled window says, when one of the findings that fired rejects
/// it (`rejects_window` of its rule): not even what was counted there is of the training.
rule::FactTable without_rejected_window(const std::vector<Finding>& findings,
                                        const rule::FactTable& facts);

}  // namespace tune::advice
