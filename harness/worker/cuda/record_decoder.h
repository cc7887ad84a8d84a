#pragma once

#include "worker/cuda/clock_map.h"
#include "worker/cuda/cupti_records.h"
#include "worker/cuda/device_row.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tune::worker {

/// Stores each name of a trace once.
class TraceNames {
 public:
  /// The name of a runtime or driver function by CUPTI's id.
  using NameOfCall = std::function<std::string(CallRow::Interface, std::uint32_t callback)>;

  explicit TraceNames(NameOfCall name_of_call);

  std::uint32_t intern(std::string_view name);

  /// `mangled` may be null.
  std::uint32_t kernel(const char* mangled);

  std::uint32_t call(CallRow::Interface interface, std::uint32_t callback);

  /// The names by index; resets the table.
  std::vector<std::string> take();

 private:
  NameOfCall name_of_call_;
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::uint32_t> indices_;
  std::unordered_map<std::string, std::uint32_t> kernels_;  ///< by mangled name
  std::unordered_map<std::uint64_t, std::uint32_t> calls_;  ///< by interface and id
};

/// Decodes CUPTI's records into rows.
class RecordDecoder {
 public:
  explicit RecordDecoder(TraceNames::NameOfCall name_of_call);

  /// Does not read beyond the struct of a record's kind. Frees what an overhead record owns.
  void add(const CUpti_Activity& record);

  void count_broken_buffer() { ++trace_.counts.broken_buffers; }
  void count_dropped(std::int64_t records) { trace_.counts.dropped += records; }

  /// All rows so far, each kind sorted by start; times are converted by `clock`, which is known
  /// when the session is over. Waits for events refer to the call that recorded their event, if it
  /// is among the records.
  DeviceTrace take(const ClockMap& clock);

 private:
  template <class Row, class Record>
  bool read_span(const Record& record, Row& row);
  template <class Record>
  CopyRow* add_any_copy(const Record& record);
  void add_kernel(const KernelRecord& record);
  void add_copy(const CopyRecord& record);
  void add_peer_copy(const CUpti_ActivityMemcpyPtoP4& record);
  void add_set(const CUpti_ActivityMemset4& record);
  void add_call(const CUpti_ActivityAPI& record, CallRow::Interface interface);
  void add_sync(const SyncRecord& record);
  void add_event(const CudaEventRecord& record);
  void add_overhead(const CUpti_ActivityOverhead3& record);
  void add_graph(const CUpti_ActivityGraphTrace2& record);
  void add_external(const CUpti_ActivityExternalCorrelation& record);

  void join_waits();

  TraceNames names_;
  DeviceTrace trace_;
  std::unordered_map<std::uint64_t, EventRecord> events_;  ///< by event_sync
};

}  // namespace tune::worker
