#include "worker/recorder/device_rows_text.h"

#include "worker/recorder/device_side.h"
#include "worker/recorder/json_text.h"

#include <array>
#include <charconv>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace tune::worker {

namespace {

constexpr std::int64_t kNoStream = -1;

class DeviceRows {
 public:
  DeviceRows(std::string& json,
             const DeviceSide& side,
             const TracePlace& place,
             const std::function<void()>& is_whole)
      : json_(json), side_(side), place_(place), is_whole_(is_whole) {
    for (const KernelRow& kernel : side.trace.kernels) {
      see(kernel);
    }
    for (const CopyRow& copy : side.trace.copies) {
      see(copy);
    }
    for (const SetRow& set : side.trace.sets) {
      see(set);
    }
    for (const GraphRow& graph : side.trace.graphs) {
      see(graph);
    }
  }

  void add_all() {
    name_rows();
    for (const CallRow& call : side_.trace.calls) {
      add_call(call);
    }
    for (const KernelRow& kernel : side_.trace.kernels) {
      add_kernel(kernel);
    }
    for (const CopyRow& copy : side_.trace.copies) {
      add_copy(copy);
    }
    for (const SetRow& set : side_.trace.sets) {
      add_set(set);
    }
    for (const GraphRow& graph : side_.trace.graphs) {
      add_graph(graph);
    }
    for (const SyncRow& sync : side_.trace.syncs) {
      add_sync(sync);
    }
    for (const OverheadRow& overhead : side_.trace.overheads) {
      add_overhead(overhead);
    }
    for (const DeviceAnnotation& annotation : side_.annotations) {
      add_annotation(annotation);
    }
  }

 private:
  template <class Row>
  void see(const Row& row) {
    streams_.emplace(row.device, row.stream);
    device_of_context_.try_emplace(row.context, row.device);
    worked_.insert(row.correlation);
  }

  void name_rows() {
    std::set<std::uint32_t> devices;
    for (const auto& [device, stream] : streams_) {
      if (devices.insert(device).second) {
        name_device(device);
      }
      std::string name = "stream ";
      name += std::to_string(stream);
      name += " ";  // Kineto's
      add_metadata("thread_name", device, stream);
      json_ += "\"name\":";
      append_json(json_, name);
      end_row();
      add_metadata("thread_sort_index", device, stream);
      number("\"sort_index\":", stream);
      end_row();
    }
  }

  void name_device(std::uint32_t device) {
    constexpr std::int64_t kAfterTheHost = 5'000'000;
    add_metadata("process_name", device, 0);
    json_ += "\"name\":\"tune-worker\"";
    end_row();
    add_metadata("process_labels", device, 0);
    number("\"labels\":\"GPU ", device);
    json_ += "\"";
    end_row();
    add_metadata("process_sort_index", device, 0);
    number("\"sort_index\":", kAfterTheHost + device);
    end_row();
  }

  void add_metadata(const char* what, std::int64_t device, std::int64_t stream) {
    json_ += ",\n{\"ph\":\"M\",\"name\":\"";
    json_ += what;
    json_ += "\",\"ts\":0.000";
    lies_at(device, stream);
    json_ += ",\"args\":{";
  }

  // Closes the arguments and the row.
  void end_row() {
    json_ += "}}";
    is_whole_();
  }

  void number(const char* before, std::int64_t value) {
    json_ += before;
    json_ += std::to_string(value);
  }

  // Shortest text that reads back as the same number.
  void real(const char* before, double value) {
    std::array<char, 32> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    json_ += before;
    json_.append(digits.data(), end);
  }

  void lies_at(std::int64_t process, std::int64_t thread) {
    number(",\"pid\":", process);
    number(",\"tid\":", thread);
  }

  template <class Row>
  void begin_row(const char* category, std::string_view name, const Row& row) {
    json_ += ",\n{\"ph\":\"X\",\"cat\":\"";
    json_ += category;
    json_ += "\",\"name\":";
    append_json(json_, name);
    json_ += ",\"ts\":";
    append_us(json_, row.start_ns - place_.origin_ns);
    json_ += ",\"dur\":";
    append_us(json_, row.end_ns - row.start_ns);
  }

  void begin_args(std::uint32_t correlation) {
    json_ += ",\"args\":{";
    if (const auto row = side_.operators.find(correlation); row != side_.operators.end()) {
      number("\"External id\":", static_cast<std::int64_t>(row->second) + 1);
      json_ += ",";
    }
    number("\"correlation\":", correlation);
  }

  template <class Row>
  void begin_work(const char* category, std::string_view name, const Row& row) {
    begin_row(category, name, row);
    lies_at(row.device, row.stream);
    begin_args(row.correlation);
    number(",\"device\":", row.device);
    number(",\"context\":", row.context);
    number(",\"stream\":", row.stream);
  }

  template <class Row>
  void end_work(const Row& row) {
    if constexpr (requires { row.graph_node; }) {
      if (row.graph != 0) {
        number(",\"graph id\":", row.graph);
        json_ += ",\"graph node id\":";
        json_ += std::to_string(row.graph_node);
      }
    }
    end_row();
    add_arrow("f", row.correlation, row.start_ns, {row.device, row.stream});
  }

  // For nested calls the outer one, which comes first, has the arrow.
  void add_call(const CallRow& call) {
    const bool is_driver = call.interface == CallRow::Interface::driver;
    begin_row(is_driver ? "cuda_driver" : "cuda_runtime", side_.trace.names[call.name], call);
    lies_at(place_.process, call.thread);
    begin_args(call.correlation);
    number(",\"cbid\":", call.callback);
    end_row();
    if (worked_.erase(call.correlation) != 0) {
      add_arrow("s", call.correlation, call.start_ns, {place_.process, call.thread});
    }
  }

  void add_arrow(const char* end,
                 std::uint32_t correlation,
                 std::int64_t time_ns,
                 std::pair<std::int64_t, std::int64_t> at) {
    json_ += ",\n{\"ph\":\"";
    json_ += end;
    number("\",\"id\":", correlation);
    lies_at(at.first, at.second);
    json_ += ",\"ts\":";
    append_us(json_, time_ns - place_.origin_ns);
    json_ += ",\"cat\":\"ac2g\",\"name\":\"ac2g\"";
    json_ += *end == 'f' ? ",\"bp\":\"e\"}" : "}";
    is_whole_();
  }

  void add_kernel(const KernelRow& kernel) {
    begin_work("kernel", side_.trace.names[kernel.name], kernel);
    json_ += ",\"queued\":0";
    number(",\"registers per thread\":", kernel.registers);
    number(",\"shared memory\":",
           static_cast<std::int64_t>(kernel.static_shared) + kernel.dynamic_shared);
    real(",\"blocks per SM\":", blocks_per_multiprocessor(kernel, side_.gpu));
    real(",\"warps per SM\":", warps_per_multiprocessor(kernel, side_.gpu));
    triple(",\"grid\":[", kernel.grid);
    triple(",\"block\":[", kernel.block);
    number(",\"est. achieved occupancy %\":", occupancy_percent(kernel, side_.gpu));
    end_work(kernel);
  }

  void triple(const char* before, const std::array<std::int32_t, 3>& sizes) {
    number(before, sizes[0]);
    number(",", sizes[1]);
    number(",", sizes[2]);
    json_ += "]";
  }

  void add_copy(const CopyRow& copy) {
    begin_work("gpu_memcpy", copy_name(copy), copy);
    if (copy.from_device) {
      number(",\"fromDevice\":", *copy.from_device);
    }
    if (copy.to_device) {
      number(",\"toDevice\":", *copy.to_device);
    }
    add_bytes(copy);
    end_work(copy);
  }

  void add_set(const SetRow& set) {
    begin_work("gpu_memset", set_name(set), set);
    add_bytes(set);
    end_work(set);
  }

  // Bytes per ns are GB per s.
  template <class Row>
  void add_bytes(const Row& row) {
    number(",\"bytes\":", row.bytes);
    if (row.end_ns > row.start_ns) {
      real(",\"memory bandwidth (GB/s)\":",
           static_cast<double>(row.bytes) / static_cast<double>(row.end_ns - row.start_ns));
    }
  }

  // Work of the device that is known only as a whole.
  void add_graph(const GraphRow& graph) {
    begin_work("kernel", "CUDA graph " + std::to_string(graph.graph), graph);
    number(",\"graph id\":", graph.graph);
    end_work(graph);
  }

  void add_sync(const SyncRow& sync) {
    const char* const name = sync_name(sync.kind);
    const auto device = device_of_context_.find(sync.context);
    const std::int64_t number_of_device =
        device == device_of_context_.end() ? side_.gpu.device : device->second;
    const std::int64_t stream = sync.stream ? std::int64_t{*sync.stream} : kNoStream;
    begin_row("cuda_sync", name, sync);
    lies_at(number_of_device, stream);
    begin_args(sync.correlation);
    json_ += ",\"cuda_sync_kind\":";
    append_json(json_, name);
    number(",\"stream\":", stream);
    number(",\"device\":", number_of_device);
    number(",\"context\":", sync.context);
    if (sync.event) {
      // As in Kineto: what was recorded before the window is -1.
      const auto& record = sync.record;
      number(",\"wait_on_stream\":", record ? std::int64_t{record->stream} : kNoStream);
      number(",\"wait_on_cuda_event_record_corr_id\":",
             record ? std::int64_t{record->correlation} : -1);
      number(",\"wait_on_cuda_event_id\":", *sync.event);
    }
    end_row();
  }

  void add_overhead(const OverheadRow& overhead) {
    begin_row("overhead", side_.trace.names[overhead.name], overhead);
    lies_at(-1, overhead.thread);
    json_ += ",\"args\":{";
    end_row();
  }

  void add_annotation(const DeviceAnnotation& annotation) {
    begin_row("gpu_user_annotation", annotation.name, annotation);
    lies_at(annotation.device, annotation.stream);
    number(",\"args\":{\"External id\":", static_cast<std::int64_t>(annotation.row) + 1);
    end_row();
  }

  std::string& json_;
  const DeviceSide& side_;
  const TracePlace& place_;
  const std::function<void()>& is_whole_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> streams_;  ///< with their device
  std::unordered_map<std::uint32_t, std::uint32_t> device_of_context_;
  std::set<std::uint32_t> worked_;  ///< correlations of work whose call has not been written
};

}  // namespace

void append_device_properties(std::string& json, const CudaFacts& gpu) {
  const std::pair<const char*, std::int64_t> facts[] = {
      {"totalGlobalMem", gpu.memory_bytes},
      {"computeMajor", gpu.compute_major},
      {"computeMinor", gpu.compute_minor},
      {"maxThreadsPerBlock", gpu.threads_per_block},
      {"maxThreadsPerMultiprocessor", gpu.threads_per_multiprocessor},
      {"regsPerBlock", gpu.registers_per_block},
      {"warpSize", gpu.warp_size},
      {"sharedMemPerBlock", gpu.shared_per_block},
      {"numSms", gpu.multiprocessors},
      {"regsPerMultiprocessor", gpu.registers_per_multiprocessor},
      {"sharedMemPerBlockOptin", gpu.shared_per_block_optin},
      {"sharedMemPerMultiprocessor", gpu.shared_per_multiprocessor}};
  json += "[{\"id\": ";
  json += std::to_string(gpu.device);
  json += ", \"name\": ";
  append_json(json, gpu.name);
  for (const auto& [name, value] : facts) {
    json += ", \"";
    json += name;
    json += "\": ";
    json += std::to_string(value);
  }
  json += "}]";
}

void append_device_rows(std::string& json,
                        const DeviceSide& side,
                        const TracePlace& place,
                        const std::function<void()>& is_whole) {
  DeviceRows(json, side, place, is_whole).add_all();
}

}  // namespace tune::worker
