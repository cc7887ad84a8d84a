#pragma once

#include "rule/fact_table.h"

namespace tune::advice {

/// Adds what follows from facts that are there, where nobody has added it already:
///
///     headroom_ratio       1 - throughput ÷ synthetic_rate: what resident batches would save
///     fetch_stall_ratio    1 - cold_rate ÷ cached_rate
///     predicted_rate, needed_workers, best_predicted_rate   the loader model (loader_model.h) for
///                          the present number of workers, and for the number that is needed
///
/// What one of them needs and is not known leaves it unknown, with that reason.
void add_derived_facts(rule::FactTable& facts);

}  // namespace tune::advice
