#pragma once

#include "trace/dependency_graph.h"
#include "trace/launches.h"

#include <cstdint>
#include <vector>

namespace tune::profile {

/// What the edges of device work are found from.
struct DeviceEdgeInput {
  const Timeline& timeline;
  const Launches& launches;
  const PathRows& rows;
  const std::vector<std::uint32_t>& closing;  ///< what add_host_edges() gave
  IdleTime idle;
};

/// Adds the edges of device work, and of calls that wait for it:
///
///     begin -> end of the work                                    its time
///     begin of the call -> work                                   launch
///     end of the work before on its stream -> work                kernel_delay
///     end of the work that its stream had to wait for -> work         sync
///         Of these three the latest weighs what passed until the work began; the others keep the
///         order. A kernel_delay of 1.5 ms and more weighs nothing: something else was waited for,
///         which the trace does not show (HolisticTraceAnalysis).
///     end of the work that a call waits for -> end of the call    sync
///         The call itself then weighs nothing: its time belongs to what it waited for. A call that
///         waited for nothing is all sync, or, where it copies, all copy.
///
/// Which work is waited for: cuda_sync rows say; else a
/// copy waits for itself, a call that synchronises a device for all streams of all devices, and
/// another for the work that ended last while it waited.
///
/// Returns how many calls waited for what was so inferred.
std::int64_t add_device_edges(const DeviceEdgeInput& input, DependencyGraph& graph);

}  // namespace tune::profile
