#pragma once

#include "trace/metric/metric.h"
#include "trace/metric/trace_input.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace tune::metric {

/// Which way a copy goes.
enum class CopyWay : std::uint8_t { to_device, to_host, within_devices };

/// By the name of its row: "Memcpy HtoD (Pageable -> Device)"; DtoD and PtoP are within devices.
/// Nothing for copies of the host alone and for what is not called so.
std::optional<CopyWay> copy_way(std::string_view name);

/// True when one of the two memories is pageable.
bool is_pageable_copy(std::string_view name);

/// Copies that begin within steps, one family for each of h2d, d2h and d2d:
///
///     h2d_count, h2d_bytes      per step
///     h2d_device_ratio          what devices took ÷ all steps, streams added up (d2d_ratio)
///     h2d_exposed_ratio         when neither kernel nor communication ran ÷ all steps
///     h2d_host_ratio            what the calls that issued them took on the host ÷ all steps
///     h2d_rate, B/s             bytes ÷ device time
///     h2d_pageable_bytes        per step; h2d_pageable_host_ratio: what their calls took ÷ all
///                               steps
///
/// d2d has neither pageable memory nor host time; its two ratios also count the kernels that
/// PyTorch copies with (direct_copy_kernel), but those that convert to another type (autocast), as
/// Input types (record_shapes=True) or the kernel's name (..WithCast..) tell. A
/// pageable copy can hold the host several times longer than the device: compare both before
/// pinning anything. A trace with device work and no such copy has zeros with the warning no-rows;
/// without device work they are not applicable, a rate also without bytes, host times when no call
/// is in the trace.
std::vector<Metric> copy_metrics(const TraceInput& input, CopyWay way);

/// Copies and kernels that d2d_ratio counts, in order, within steps or not.
std::vector<std::uint32_t> device_to_device_rows(const TraceInput& input);

}  // namespace tune::metric
