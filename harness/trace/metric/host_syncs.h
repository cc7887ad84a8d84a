#pragma once

#include "trace/metric/metric.h"
#include "trace/metric/trace_input.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tune::metric {

/// Scalars read from a device, by the operator that read them.
struct ScalarSync {
  std::string host_row;  ///< the outermost aten:: operator around the call: "aten::item"; or ""
  std::int64_t count = 0;
  std::int64_t blocked_ns = 0;  ///< what the host waited in all
};

/// Copies of at most 1 KiB to the host within steps whose call blocks: by itself, or because the
/// host synchronises right after it in the same operator, whose time then counts too. Such a copy
/// waits for the device; copying is not its problem. The longest first.
std::vector<ScalarSync> scalar_syncs(const TraceInput& input);

/// The sums of scalar_syncs(): `small_d2h_count` per step, and `small_d2h_blocked_ratio`, what the
/// host waited ÷ all steps. Not applicable without calls, or without device work.
std::vector<Metric> scalar_sync_metrics(const TraceInput& input);

/// The calls of all of them, in order: the copies, and the synchronisations right after.
std::vector<std::uint32_t> scalar_sync_calls(const TraceInput& input);

/// Calls in which the host waits for a device but to bring something there: those that synchronise,
/// and copies to the host that block. In order.
std::vector<std::uint32_t> waiting_calls(const TraceInput& input);

/// When the thread that marks the steps (without marks any) is blocked in a call: one that
/// synchronises, or a copy that waits. Whatever a device does meanwhile, the host does not work
/// then.
profile::Intervals blocked_times(const TraceInput& input);

/// Calls that synchronise with a device, a stream or an event within steps: `sync_call_count` per
/// step, `sync_call_ratio`, the time at which any thread is in one ÷ all steps.
///
/// `idle_after_sync_ratio`: idle time of all devices together that began while the host was in such
/// a call or in a copy to the host that blocks, ÷ all steps: the device ran dry while the host
/// waited for it. Of idle time that began before, what the host spends in such calls. Only this can
/// be gained by not waiting. Not applicable without calls; the last also without device work.
std::vector<Metric> sync_call_metrics(const TraceInput& input);

/// True for calls that copy and wait by their name: cudaMemcpy, not cudaMemcpyAsync.
bool copies_and_waits(std::string_view call);

/// `sync_memcpy_count` per step and `sync_memcpy_time`, s per step: calls within steps that copy
/// and wait (copies_and_waits), but those that bring at most 64 KiB to
/// the device, which do not wait (Nsight Systems' rule). Not applicable without calls.
std::vector<Metric> sync_memcpy_metrics(const TraceInput& input);

}  // namespace tune::metric
