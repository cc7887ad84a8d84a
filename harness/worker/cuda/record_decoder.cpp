#include "worker/cuda/record_decoder.h"

#include <algorithm>
#include <cstdlib>
#include <cxxabi.h>
#include <limits>
#include <optional>
#include <utility>

namespace tune::worker {

namespace {

std::string demangled(const char* name) {
  int status = 0;
  char* const readable = abi::__cxa_demangle(name, nullptr, nullptr, &status);
  std::string text = status == 0 && readable != nullptr ? readable : name;
  std::free(readable);
  return text;
}

}  // namespace

TraceNames::TraceNames(NameOfCall name_of_call) : name_of_call_(std::move(name_of_call)) {}

std::uint32_t TraceNames::intern(std::string_view name) {
  const auto next = static_cast<std::uint32_t>(names_.size());
  const auto [found, is_new] = indices_.try_emplace(std::string(name), next);
  if (is_new) {
    names_.emplace_back(name);
  }
  return found->second;
}

std::uint32_t TraceNames::kernel(const char* mangled) {
  if (mangled == nullptr) {
    return intern("unnamed kernel");
  }
  const auto found = kernels_.find(mangled);
  if (found != kernels_.end()) {
    return found->second;
  }
  const std::uint32_t name = intern(demangled(mangled));
  kernels_.emplace(mangled, name);
  return name;
}

std::uint32_t TraceNames::call(CallRow::Interface interface, std::uint32_t callback) {
  const std::uint64_t key = (static_cast<std::uint64_t>(interface) << 32U) | callback;
  const auto found = calls_.find(key);
  if (found != calls_.end()) {
    return found->second;
  }
  const std::uint32_t name = intern(name_of_call_(interface, callback));
  calls_.emplace(key, name);
  return name;
}

std::vector<std::string> TraceNames::take() {
  indices_.clear();
  kernels_.clear();
  calls_.clear();
  return std::exchange(names_, {});
}

namespace {

// Every record begins with its kind; CUPTI documents that the rest is that kind's struct.
template <class Record>
const Record& as(const CUpti_Activity& record) {
  return *reinterpret_cast<const Record*>(&record);
}

std::optional<std::uint32_t> if_any(std::uint32_t id) {
  constexpr auto kNone = static_cast<std::uint32_t>(CUPTI_SYNCHRONIZATION_INVALID_VALUE);
  return id == kNone ? std::nullopt : std::optional(id);
}

// As Kineto writes them; CUPTI has no function for these.
const char* overhead_name(CUpti_ActivityOverheadKind kind) {
  switch (kind) {
    case CUPTI_ACTIVITY_OVERHEAD_DRIVER_COMPILER:
      return "Driver Compiler";
    case CUPTI_ACTIVITY_OVERHEAD_CUPTI_BUFFER_FLUSH:
      return "Buffer Flush";
    case CUPTI_ACTIVITY_OVERHEAD_CUPTI_INSTRUMENTATION:
      return "Instrumentation";
    case CUPTI_ACTIVITY_OVERHEAD_CUPTI_RESOURCE:
      return "Resource";
    case CUPTI_ACTIVITY_OVERHEAD_RUNTIME_TRIGGERED_MODULE_LOADING:
      return "Runtime Triggered Module Loading";
    case CUPTI_ACTIVITY_OVERHEAD_LAZY_FUNCTION_LOADING:
      return "Lazy Function Loading";
    case CUPTI_ACTIVITY_OVERHEAD_COMMAND_BUFFER_FULL:
      return "Command Buffer Full";
    case CUPTI_ACTIVITY_OVERHEAD_ACTIVITY_BUFFER_REQUEST:
      return "Activity Buffer Request";
    default:
      return "Unknown";
  }
}

// Converts to the clock of the window and sorts by start.
template <class Row>
void put_in_order(std::vector<Row>& rows, const ClockMap& clock) {
  for (Row& row : rows) {
    row.start_ns = clock.to_monotonic_ns(row.start_ns);
    row.end_ns = clock.to_monotonic_ns(row.end_ns);
  }
  std::stable_sort(
      rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.start_ns < b.start_ns; });
}

// The fields shared by copies, sets and kernels.
template <class Row, class Record>
void place(Row& row, const Record& record) {
  row.device = record.deviceId;
  row.context = record.contextId;
  row.stream = record.streamId;
  row.correlation = record.correlationId;
  row.graph = record.graphId;
  row.graph_node = record.graphNodeId;
}

}  // namespace

RecordDecoder::RecordDecoder(TraceNames::NameOfCall name_of_call)
    : names_(std::move(name_of_call)) {}

void RecordDecoder::add(const CUpti_Activity& record) {
  ++trace_.counts.records;
  switch (record.kind) {
    case CUPTI_ACTIVITY_KIND_KERNEL:
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
      return add_kernel(as<KernelRecord>(record));
    case CUPTI_ACTIVITY_KIND_MEMCPY:
      return add_copy(as<CopyRecord>(record));
    case CUPTI_ACTIVITY_KIND_MEMCPY2:
      return add_peer_copy(as<CUpti_ActivityMemcpyPtoP4>(record));
    case CUPTI_ACTIVITY_KIND_MEMSET:
      return add_set(as<CUpti_ActivityMemset4>(record));
    case CUPTI_ACTIVITY_KIND_RUNTIME:
      return add_call(as<CUpti_ActivityAPI>(record), CallRow::Interface::runtime);
    case CUPTI_ACTIVITY_KIND_DRIVER:
      return add_call(as<CUpti_ActivityAPI>(record), CallRow::Interface::driver);
    case CUPTI_ACTIVITY_KIND_SYNCHRONIZATION:
      return add_sync(as<SyncRecord>(record));
    case CUPTI_ACTIVITY_KIND_CUDA_EVENT:
      return add_event(as<CudaEventRecord>(record));
    case CUPTI_ACTIVITY_KIND_OVERHEAD:
      return add_overhead(as<CUpti_ActivityOverhead3>(record));
    case CUPTI_ACTIVITY_KIND_GRAPH_TRACE:
      return add_graph(as<CUpti_ActivityGraphTrace2>(record));
    case CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION:
      return add_external(as<CUpti_ActivityExternalCorrelation>(record));
    case CUPTI_ACTIVITY_KIND_DEVICE:  // the runtime already reported it
    case CUPTI_ACTIVITY_KIND_CONTEXT:
    case CUPTI_ACTIVITY_KIND_STREAM:
      return;
    default:
      ++trace_.counts.unknown_kinds;
  }
}

// A record without a time does not mean work without duration: it never finished, or it was lost.
template <class Row, class Record>
bool RecordDecoder::read_span(const Record& record, Row& row) {
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (record.start == CUPTI_TIMESTAMP_UNKNOWN || record.end == CUPTI_TIMESTAMP_UNKNOWN ||
      record.start > kMost || record.end > kMost) {
    ++trace_.counts.without_time;
    return false;
  }
  if (record.end < record.start) {
    ++trace_.counts.backwards;
    return false;
  }
  row.start_ns = static_cast<std::int64_t>(record.start);
  row.end_ns = static_cast<std::int64_t>(record.end);
  return true;
}

void RecordDecoder::add_kernel(const KernelRecord& record) {
  KernelRow row;
  if (!read_span(record, row)) {
    return;
  }
  row.name = names_.kernel(record.name);
  place(row, record);
  row.grid = {record.gridX, record.gridY, record.gridZ};
  row.block = {record.blockX, record.blockY, record.blockZ};
  row.registers = record.registersPerThread;
  row.static_shared = record.staticSharedMemory;
  row.dynamic_shared = record.dynamicSharedMemory;
  trace_.kernels.push_back(row);
}

template <class Record>
CopyRow* RecordDecoder::add_any_copy(const Record& record) {
  CopyRow row;
  if (!read_span(record, row)) {
    return nullptr;
  }
  row.kind = record.copyKind;
  row.from = record.srcKind;
  row.to = record.dstKind;
  row.bytes = static_cast<std::int64_t>(record.bytes);
  place(row, record);
  trace_.copies.push_back(row);
  return &trace_.copies.back();
}

void RecordDecoder::add_copy(const CopyRecord& record) {
  add_any_copy(record);
}

void RecordDecoder::add_peer_copy(const CUpti_ActivityMemcpyPtoP4& record) {
  if (CopyRow* const row = add_any_copy(record); row != nullptr) {
    row->from_device = record.srcDeviceId;
    row->to_device = record.dstDeviceId;
  }
}

void RecordDecoder::add_set(const CUpti_ActivityMemset4& record) {
  SetRow row;
  if (!read_span(record, row)) {
    return;
  }
  row.memory = record.memoryKind;
  row.bytes = static_cast<std::int64_t>(record.bytes);
  place(row, record);
  trace_.sets.push_back(row);
}

void RecordDecoder::add_call(const CUpti_ActivityAPI& record, CallRow::Interface interface) {
  CallRow row;
  if (!read_span(record, row)) {
    return;
  }
  row.interface = interface;
  row.callback = record.cbid;
  row.name = names_.call(interface, record.cbid);
  row.process = record.processId;
  row.thread = record.threadId;
  row.correlation = record.correlationId;
  row.result = record.returnValue;
  trace_.calls.push_back(row);
}

void RecordDecoder::add_sync(const SyncRecord& record) {
  if (record.type < CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE ||
      record.type > CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE) {
    ++trace_.counts.unknown_kinds;
    return;
  }
  SyncRow row;
  if (!read_span(record, row)) {
    return;
  }
  row.kind = static_cast<SyncRow::Kind>(record.type);
  row.context = record.contextId;
  row.correlation = record.correlationId;
  row.stream = if_any(record.streamId);
  row.event = if_any(record.cudaEventId);
  row.event_sync = event_sync_of(record);
  trace_.syncs.push_back(row);
}

// It has no time, so it is not a row.
void RecordDecoder::add_event(const CudaEventRecord& record) {
  if (const std::uint64_t sync = event_sync_of(record); sync != 0) {
    events_[sync] = {record.streamId, record.correlationId};
  }
}

// A record may be delivered after the wait that waits for it.
void RecordDecoder::join_waits() {
  for (SyncRow& wait : trace_.syncs) {
    const bool is_for_event =
        wait.kind == SyncRow::Kind::event || wait.kind == SyncRow::Kind::stream_wait_event;
    if (const auto found = events_.find(wait.event_sync); is_for_event && found != events_.end()) {
      wait.record = found->second;
    }
  }
  events_.clear();
}

void RecordDecoder::add_overhead(const CUpti_ActivityOverhead3& record) {
  std::free(record.overheadData);  // the header says so
  if (record.start == 0 && record.end == 0) {
    return;  // the header: its time could not be collected; no work is lost
  }
  OverheadRow row;
  if (!read_span(record, row)) {
    return;
  }
  row.name = names_.intern(overhead_name(record.overheadKind));
  if (record.objectKind == CUPTI_ACTIVITY_OBJECT_THREAD) {
    row.thread = record.objectId.pt.threadId;
  }
  row.correlation = record.correlationId;
  trace_.overheads.push_back(row);
}

void RecordDecoder::add_graph(const CUpti_ActivityGraphTrace2& record) {
  GraphRow row;
  if (!read_span(record, row)) {
    return;
  }
  row.device = record.deviceId;
  row.context = record.contextId;
  row.stream = record.streamId;
  row.correlation = record.correlationId;
  row.graph = record.graphId;
  trace_.graphs.push_back(row);
}

void RecordDecoder::add_external(const CUpti_ActivityExternalCorrelation& record) {
  ExternalRow row;
  row.kind = static_cast<std::uint32_t>(record.externalKind);
  row.correlation = record.correlationId;
  row.id = record.externalId;
  trace_.externals.push_back(row);
}

// Streams deliver their buffers one after the other, so rows of several streams are not sorted.
DeviceTrace RecordDecoder::take(const ClockMap& clock) {
  join_waits();
  put_in_order(trace_.kernels, clock);
  put_in_order(trace_.copies, clock);
  put_in_order(trace_.sets, clock);
  put_in_order(trace_.calls, clock);
  put_in_order(trace_.syncs, clock);
  put_in_order(trace_.overheads, clock);
  put_in_order(trace_.graphs, clock);
  trace_.names = names_.take();
  return std::exchange(trace_, {});
}

}  // namespace tune::worker
