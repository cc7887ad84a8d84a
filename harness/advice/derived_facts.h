#pragma once

#include "advice/rule/fact_table.h"

namespace tune::advice {

/// Adds what follows from facts that are there, where nobody has added it already:
///
///     headroom_ratio       1 - throughput ÷ synthetic_rate: what resident batches would save
///     fetch_stall_ratio    1 - cold_rate ÷ cached_rate
///     predicted_rate, needed_workers, best_predicted_rate   the loader model (gain_model.h) for
///                          the present number of workers, and for the number that is needed; on
///                          usable_cores, of which cpu_quota allows so many, less other_cpu_cores
///     avoidable_run_delay_ratio   main_thread_run_delay_ratio less what the loader has to take
///                          from the training: where a model on the CPU has as many threads as
///                          there are cores, (loader_cpu_time x throughput + intra_op_threads -
///                          usable_cores) ÷ intra_op_threads. All of it where a loader's needs are
///                          not known
///     worker_cpu_ratio     loader_cpu_time x throughput ÷ usable_cores: how much of all cores the
///                          loader's workers take; where there are workers
///
/// What one of them needs and is not known leaves it unknown, with that reason.
void add_derived_facts(rule::FactTable& facts);

}  // namespace tune::advice
