#include "worker/recorder/trace_file.h"

#include "worker/recorder/device_rows_text.h"
#include "worker/recorder/gzip_file.h"
#include "worker/recorder/input_bytes.h"
#include "worker/recorder/json_text.h"

#include <initializer_list>
#include <string_view>
#include <utility>

namespace tune::worker {

namespace {

constexpr std::size_t kBlockBytes = std::size_t{1} << 20;

class Document {
 public:
  Document(const std::filesystem::path& path,
           const Recording& recording,
           const TraceRows& rows,
           const TraceFacts& facts)
      : file_(path),
        name_(path.filename().string()),
        recording_(recording),
        logs_(recording.logs()),
        rows_(rows),
        facts_(facts) {
    text_.reserve(2 * kBlockBytes);
  }

  TraceFileSize write() {
    add_head();
    add_threads();
    for (std::size_t i = 0; i < rows_.rows.size(); ++i) {
      add_row(i);
    }
    for (std::size_t i = 0; i < rows_.links.size(); ++i) {
      add_link(i);
    }
    for (const TraceMemoryRow& row : rows_.memory) {
      add_memory(row);
    }
    if (facts_.device != nullptr) {
      const TracePlace place{facts_.process, facts_.origin_ns};
      append_device_rows(text_, *facts_.device, place, [this] { write_block(); });
    }
    add_tail();
    file_.write(text_);
    TraceFileSize size;
    size.json_bytes = file_.text_bytes();
    size.file_bytes = file_.finish();
    return size;
  }

 private:
  void add_head() {
    text_ += "{\n\"schemaVersion\": 1,\n\"deviceProperties\": ";
    add_device_head();
    // HTA looks for the line with a rank, and for the space after its colon.
    text_ += "\"distributedInfo\": {\"rank\": 0, \"world_size\": 1},\n";
    const trial::Profile& profile = facts_.profile;
    for (const auto& [name, is_on] : std::initializer_list<std::pair<const char*, bool>>{
             {"record_shapes", profile.record_shapes},
             {"profile_memory", profile.profile_memory},
             {"with_flops", profile.with_flops},
             {"with_modules", profile.with_modules}}) {
      if (is_on) {
        text_ += "\"";
        text_ += name;
        text_ += "\": 1,\n";
      }
    }
    add_top_number("tune_lost_events", recording_.lost_events());
    add_top_number("tune_lost_inputs", recording_.lost_inputs());
    text_ += "\"displayTimeUnit\": \"ms\",\n";
    add_top_number("baseTimeNanoseconds", facts_.origin_unix_ns);
    text_ += "\"traceEvents\": [\n";
    add_metadata("process_name", 0);
    text_ += "\"name\":\"tune-worker\"}},\n";
    add_metadata("process_labels", 0);
    text_ += "\"labels\":\"CPU\"}},\n";
    add_metadata("process_sort_index", 0);
    add_number("\"sort_index\":", facts_.process);
    text_ += "}}";
  }

  void add_device_head() {
    if (facts_.device == nullptr) {
      text_ += "[],\n";
      return;
    }
    const CudaFacts& gpu = facts_.device->gpu;
    append_device_properties(text_, gpu);
    text_ += ",\n";
    add_top_number("cupti_version", gpu.cupti_version);
    add_top_number("cuda_runtime_version", gpu.runtime_version);
    add_top_number("cuda_driver_version", gpu.driver_version);
  }

  void add_top_number(const char* name, std::int64_t value) {
    text_ += "\"";
    text_ += name;
    add_number("\": ", value);
    text_ += ",\n";
  }

  void add_number(const char* before, std::int64_t value) {
    text_ += before;
    text_ += std::to_string(value);
  }

  void add_metadata(const char* what, std::int64_t thread) {
    text_ += "{\"ph\":\"M\",\"name\":\"";
    text_ += what;
    text_ += "\",\"ts\":0.000";
    add_place(thread);
    text_ += ",\"args\":{";
  }

  void add_place(std::int64_t thread) {
    add_number(",\"pid\":", facts_.process);
    add_number(",\"tid\":", thread);
  }

  void add_time(const char* before, std::int64_t ns) {
    text_ += before;
    append_us(text_, ns);
  }

  void add_threads() {
    std::vector<bool> has_rows(logs_.size());
    for (const TraceRow& row : rows_.rows) {
      has_rows[row.log] = true;
    }
    for (std::size_t i = 0; i < logs_.size(); ++i) {
      if (has_rows[i]) {
        text_ += ",\n";
        add_thread_name(logs_[i]->owner());
      }
    }
  }

  void add_thread_name(const ThreadLog::Owner& owner) {
    std::string name = "thread ";
    name += std::to_string(owner.thread);
    name += " (";
    name += owner.name;
    name += ")";
    add_metadata("thread_name", owner.thread);
    text_ += "\"name\":";
    append_json(text_, name);
    text_ += "}}";
  }

  void add_row(std::size_t index) {
    const TraceRow& row = rows_.rows[index];
    const bool is_operator = row.kind == EventKind::op || row.kind == EventKind::backward;
    text_ += is_operator ? ",\n{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":"
                         : ",\n{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":";
    if (row.kind == EventKind::module) {
      append_json(text_, "nn.Module: " + rows_.modules[row.module]);
    } else {
      append_json(text_, recording_.names().text(row.name));
    }
    add_place(logs_[row.log]->owner().thread);
    add_time(",\"ts\":", row.start_ns - facts_.origin_ns);
    add_time(",\"dur\":", row.end_ns - row.start_ns);
    const auto id = static_cast<std::int64_t>(index);
    add_number(",\"args\":{\"External id\":", id + 1);
    text_ += ",\"Record function id\":0";
    if (row.sequence >= 0) {
      add_number(",\"Sequence number\":", row.sequence);
      add_number(",\"Fwd thread id\":", row.forward_thread);
    }
    if (row.inputs != kNoInputs) {
      add_inputs(row);
    }
    if (is_operator && row.module != 0) {
      text_ += ",\"Module Hierarchy\":";
      append_json(text_, rows_.modules[row.module]);
    }
    add_number(",\"Ev Idx\":", id);
    text_ += "}}";
    write_block();
  }

  void add_inputs(const TraceRow& row) {
    const InputTexts inputs = input_texts(logs_[row.log]->inputs(row.inputs), facts_.dtypes);
    text_ += ",\"Concrete Inputs\":";
    text_ += inputs.concrete;
    text_ += ",\"Input type\":";
    text_ += inputs.types;
    text_ += ",\"Input Strides\":";
    text_ += inputs.strides;
    text_ += ",\"Input Dims\":";
    text_ += inputs.dims;
  }

  // The forward operator is where the arrow begins.
  void add_link(std::size_t index) {
    const FlowLink& link = rows_.links[index];
    add_link_end("s", index, rows_.rows[link.forward]);
    text_ += "}";
    add_link_end("f", index, rows_.rows[link.backward]);
    text_ += ",\"bp\":\"e\"}";
    write_block();
  }

  void add_link_end(const char* phase, std::size_t index, const TraceRow& row) {
    text_ += ",\n{\"ph\":\"";
    text_ += phase;
    add_number("\",\"id\":", static_cast<std::int64_t>(index) + 1);
    add_place(logs_[row.log]->owner().thread);
    add_time(",\"ts\":", row.start_ns - facts_.origin_ns);
    text_ += ",\"cat\":\"fwdbwd\",\"name\":\"fwdbwd\"";
  }

  void add_memory(const TraceMemoryRow& entry) {
    const MemoryRow& row = entry.row;
    text_ += ",\n{\"ph\":\"i\",\"cat\":\"cpu_instant_event\",\"s\":\"t\",\"name\":\"[memory]\"";
    add_place(logs_[entry.log]->owner().thread);
    add_time(",\"ts\":", row.time_ns - facts_.origin_ns);
    text_ += ",\"args\":{";
    if (row.total_reserved > 0) {
      add_number("\"Total Reserved\":", row.total_reserved);
      text_ += ",";
    }
    if (row.total_allocated > 0) {
      add_number("\"Total Allocated\":", row.total_allocated);
      text_ += ",";
    }
    add_number("\"Bytes\":", row.bytes);
    add_number(",\"Device Id\":", row.device);
    add_number(",\"Device Type\":", row.device_type);
    text_ += ",\"Addr\":";
    text_ += std::to_string(row.address);
    text_ += "}}";
    write_block();
  }

  void add_tail() {
    text_ +=
        ",\n{\"ph\":\"i\",\"s\":\"g\",\"name\":\"Record Window End\",\"pid\":\"\",\"tid\":\"\"";
    add_time(",\"ts\":", facts_.end_ns - facts_.origin_ns);
    text_ += "}\n],\n\"traceName\": ";
    append_json(text_, name_);
    text_ += "\n}\n";
  }

  void write_block() {
    if (text_.size() >= kBlockBytes) {
      file_.write(text_);
      text_.clear();
    }
  }

  GzipFile file_;
  const std::string name_;
  const Recording& recording_;
  const std::vector<const ThreadLog*> logs_;
  const TraceRows& rows_;
  const TraceFacts& facts_;
  std::string text_;
};

}  // namespace

TraceFileSize write_trace_file(const std::filesystem::path& path,
                               const Recording& recording,
                               const TraceRows& rows,
                               const TraceFacts& facts) {
  return Document(path, recording, rows, facts).write();
}

}  // namespace tune::worker
