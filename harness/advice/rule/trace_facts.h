#pragma once

#include "advice/rule/fact_table.h"
#include "trace/metric/metric.h"
#include "trace/metric/trace_input.h"

#include <vector>

namespace tune::rule {

/// Adds every metric, with its reason where it has no value. Metrics that no rule may name are left
/// out.
void add_metrics(const std::vector<metric::Metric>& metrics,
                 const std::string& source,
                 const std::string& window,
                 FactTable& facts);

/// What rules can be evaluated on when there is nothing but a trace: its metrics with up to three
/// rows as examples (add_examples), what it tells of device and settings (add_settings),
/// and which operators read scalars.
FactTable facts_of_trace(const metric::TraceInput& input,
                         const std::vector<metric::Metric>& metrics);

/// Gives facts of a trace up to three of the rows that they are made of, the longest first: kernels
/// with the operator that launched them, calls with the operator that made them, gaps with what
/// is in them. Facts without a value, or with the value 0, get none.
///
/// Adds `gap_host_cover`, what the host did in the longest gap of a device, and `input_dims`, the
/// shapes of the longest product whose sizes miss the tensor cores.
void add_examples(const metric::TraceInput& input, FactTable& facts);

/// What a trace tells of settings, once its metrics are among the facts:
///
///     num_workers, loader_ops_on_main_thread   by the name of the loader's rows:
///                       _SingleProcessDataLoaderIter has no workers
///     pin_memory        by the names of the copies: Memcpy HtoD (Pageable -> Device) says no
///     amp               by the precision of products: none below 10 % of 16 bits, bf16 or
///                       fp16 from half on
///     allow_tf32        yes where some products of float32 run on tensor cores and others do not
///     channels_last     by the Input Strides of convolutions
///     optimizer_impl    by what the optimizer calls: aten::_fused_..., aten::_foreach_..., or an
///                       operator for each parameter
///     optimizer_class   by its rows: SGD of Optimizer.step#SGD.step, where all name the same
///     parallel_api, backend   how work is spread over devices: DataParallel.forward; the
///                       backend in distributedInfo, as far as it is for GPUs, and kernels of NCCL
///     cuda_version, driver_cuda_version, compute_capability, device_count   of its head
void add_settings(const metric::TraceInput& input, FactTable& facts);

}  // namespace tune::rule
