#pragma once

#include "trace/metric/metric.h"
#include "trace/metric/trace_input.h"

#include <vector>

namespace tune::metric {

/// `forward_ratio`, `backward_ratio`, `optimizer_ratio`, `zero_grad_ratio`: time at which any
/// thread of the host is in the phase ÷ all steps; what belongs to a phase, see
/// trace/table/phase_table.h. Phases of different threads may overlap, and on a device their work
/// runs later: this is where the host's time goes. Each is not applicable where nothing marks it.
///
/// For the optimizer only, and not applicable without it:
///
///     optimizer_exposed_ratio    ÷ all steps: time at which work that it issued ran on a device,
///                                or the host was in it and no device worked. What a faster
///                                optimizer can gain at most
///     optimizer_device_ratio     ÷ all steps: time at which work that it issued ran on a device;
///                                needs device work
///     optimizer_kernel_count     per step: kernels that it launched; needs kernels
///     optimizer_operator_count   per step: operators that it calls itself, each with what it is
///                                made of counted once; needs operators
///     multi_tensor_count         those of them, and kernels, that update many parameters at once:
///                                aten::_foreach_..., aten::_fused_..., ..multi_tensor.. of apex
std::vector<Metric> phase_metrics(const TraceInput& input);

}  // namespace tune::metric
