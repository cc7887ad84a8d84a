#pragma once

#include "metric/trace_input.h"
#include "rule/fact_table.h"

namespace tune::rule {

/// What a trace tells of settings, once its metrics are among the facts:
///
///     num_workers, loader_ops_on_main_thread   by the name of the loader's rows:
///                       _SingleProcessDataLoaderIter has no workers
///     pin_memory        by the names of the copies: Memcpy HtoD (Pageable -> Device) says no
///     amp               by the precision of products: none below 10 % of 16 bits, bf16 or fp16
///     from
///                       half on
///     allow_tf32        yes where some products of float32 run on tensor cores and others do not
///     channels_last     by the Input Strides of convolutions
///     optimizer_impl    by what the optimizer calls: aten::_fused_..., aten::_foreach_..., or an
///                       operator for each parameter
///     parallel_api, backend   how work is spread over devices: DataParallel.forward; the backend
///     in
///                       distributedInfo, as far as it is for GPUs, and kernels of NCCL
///     cuda_version, driver_cuda_version, compute_capability, device_count   of its head
void add_settings(const metric::TraceInput& input, FactTable& facts);

}  // namespace tune::rule
