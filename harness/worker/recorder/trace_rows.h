#pragma once

#include "worker/recorder/recording.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tune::worker {

/// The steps that count, CLOCK_MONOTONIC.
struct TraceWindow {
  std::int64_t start_ns = 0, end_ns = 0;
};

/// One event inside a window.
struct TraceRow {
  std::int64_t start_ns = 0, end_ns = 0;
  std::int64_t sequence = kNoSequence;
  std::uint32_t name = 0;
  std::uint32_t log = 0;             ///< index of its thread
  std::uint32_t forward_thread = 0;  ///< LibTorch's number
  std::uint32_t inputs = kNoInputs;
  std::uint32_t module = 0;  ///< of TraceRows::modules
  EventKind kind = EventKind::op;
};

/// An operator of the forward pass and its node in the backward pass.
struct FlowLink {
  std::size_t forward = 0, backward = 0;
};

struct TraceMemoryRow {
  MemoryRow row;
  std::uint32_t log = 0;
};

/// The rows of all threads.
struct TraceRows {
  std::vector<TraceRow> rows;          ///< by start, a parent before its children
  std::vector<std::string> modules;    ///< paths, "block0.conv1"; the first one is ""
  std::vector<FlowLink> links;         ///< indices of rows, by the later one
  std::vector<TraceMemoryRow> memory;  ///< by time
};

/// Events that have not ended, or are not inside a window, are left out. As in torch's own traces,
/// "autograd::engine::evaluate_function" rows have the numbers of the node that they wrap.
///
/// A node is linked by (forward thread, sequence number) to the last operator before it that has
/// both: operators that call others have the number of the innermost, and operators without a node
/// have that of the next one.
TraceRows collect_rows(const Recording& recording, const std::vector<TraceWindow>& windows);

/// The peak of memory allocated on the CPU, on top of what was allocated when each window began.
std::int64_t peak_bytes(const std::vector<TraceMemoryRow>& memory,
                        const std::vector<TraceWindow>& windows);

}  // namespace tune::worker
