#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string_view>
#include <vector>

namespace tune::profile {

/// What a row of a trace is, from its `cat`. Names of 2021 (Operator, Runtime, Kernel, ...), of
/// ROCm and of other vendors mean the same categories. A row is never classified by its pid: Python
/// frames are written with pid 0, which is also the first GPU.
enum class Category : std::uint8_t {
  cpu_op,               ///< operator: aten::mm, also `Operator` (2021)
  user_annotation,      ///< record_function, ProfilerStep#N, enumerate(DataLoader)#...
  gpu_user_annotation,  ///< the same, repeated on a device row
  kernel,
  memcpy,
  memset,
  runtime,          ///< cudaLaunchKernel, hipMemcpyAsync, ...: every *_runtime
  driver,           ///< cuLaunchKernel (Triton, cuBLASLt), ...: every *_driver
  synchronization,  ///< cuda_sync: "Stream Sync", "Event Sync", ...
  python_function,
  overhead,  ///< the profiler's own: buffers, instrumentation
  span,      ///< `Trace`: how long the profiler was on
  other      ///< known or unknown, without a part in any definition here
};

/// From the text of `cat`, in any case. Unknown names and an empty one are `other`.
Category category_of(std::string_view cat);

/// Meta's MTIA writes all work of its device with this `cat`; its names say what it was
/// (HolisticTraceAnalysis: copies are dma_request, marks event_record and event_wait).
inline constexpr std::string_view kMtiaEvents = "mtia_ccp_events";
Category mtia_category(std::string_view name);

/// Whether a Python frame is the garbage collector: `Python GC` (record_python_gc_info of
/// torch.profiler's experimental configuration) or gc.collect(). Kept where other frames are not.
bool is_collection(std::string_view frame);
/// gc.collect().
bool is_forced_collection(std::string_view frame);
/// tolist() of a tensor or an array.
bool is_list_conversion(std::string_view frame);

/// True for kernel, memcpy and memset: work of a device.
constexpr bool is_device_work(Category category) {
  return category == Category::kernel || category == Category::memcpy ||
         category == Category::memset;
}

/// True for runtime and driver: calls of the host into the device's library.
constexpr bool is_device_call(Category category) {
  return category == Category::runtime || category == Category::driver;
}

/// True for names that Kineto or another PyTorch profiler writes: a file without any such row is
/// another tool's.
bool is_known_category(std::string_view cat);

/// Index of a text in a StringPool; 0 is the empty text.
using StringId = std::uint32_t;

/// Each different text once. A trace of a million rows has a few thousand names.
class StringPool {
 public:
  StringPool();

  /// The id of the text; the same text has the same id. Ids count up from 0.
  StringId intern(std::string_view text);

  /// The text stays where it is as long as the pool lives, also when the pool is moved.
  std::string_view text(StringId id) const { return texts_[id]; }

  /// How many different texts there are.
  std::size_t size() const { return texts_.size(); }

  /// Memory held, bytes.
  std::size_t bytes() const;

 private:
  std::string_view keep(std::string_view text);
  void grow();

  std::vector<std::unique_ptr<char[]>> blocks_;
  std::size_t block_bytes_ = 0;  ///< of all blocks
  std::size_t block_left_ = 0;   ///< in the last block
  char* block_at_ = nullptr;
  std::vector<std::string_view> texts_;
  std::vector<std::uint32_t> hashes_;  ///< of texts_, so that growing reads no text
  std::vector<StringId> slots_;        ///< open addressing; id + 1, 0 is free
};

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
constexpr std::int64_t kUnknownId = -1;
constexpr std::int64_t kUnknownNumber = std::numeric_limits<std::int64_t>::min();

/// One complete row of a trace, 48 bytes. What only some rows have is in the side table of their
/// category (Timeline), at `detail`.
struct Event {
  std::int64_t start_ns = 0;  ///< as in the file; + Timeline::base_time_ns is the time of day
  std::int64_t duration_ns = 0;
  std::int64_t correlation = kUnknownId;  ///< the same for a device row and the call that issued it
  std::int64_t external_id = kUnknownId;  ///< of the operator that was running
  StringId name = 0;
  std::uint32_t track = 0;       ///< index in Timeline::tracks
  std::uint32_t detail = kNone;  ///< index in the side table; kNone when the row says nothing
  Category category = Category::other;

  std::int64_t end_ns() const { return start_ns + duration_ns; }
};
static_assert(sizeof(Event) <= 64);

/// A row of the timeline: a thread of the host, or a stream of a device.
struct Track {
  StringId process = 0, thread = 0;  ///< pid and tid as written
  StringId process_name = 0, thread_name = 0;
  bool is_device = false;
  std::int32_t device = -1;          ///< -1: not known, or a host row
  std::int64_t stream = kUnknownId;  ///< of device rows
};

/// Details of kernels. Where the row does not say, a ratio is NaN and a count is -1.
struct KernelDetail {
  std::array<std::int32_t, 3> grid = {-1, -1, -1}, block = {-1, -1, -1};
  float blocks_per_sm = std::numeric_limits<float>::quiet_NaN();
  float warps_per_sm = std::numeric_limits<float>::quiet_NaN();
  float occupancy_ratio = std::numeric_limits<float>::quiet_NaN();  ///< estimated by Kineto, 0-1
  std::int32_t registers_per_thread = -1;
  std::int32_t shared_memory_bytes = -1;
  std::uint32_t graph_node = kNone;  ///< of a CUDA graph
  std::uint32_t collective = kNone;  ///< index in Timeline::collectives
};

/// Details of memcpy and memset rows.
struct CopyDetail {
  std::int64_t bytes = kUnknownNumber;
};

/// Details of cuda_sync rows; the critical path uses the ids.
struct SyncDetail {
  std::int64_t waits_for_stream = kUnknownId;
  std::int64_t waits_for_record_correlation = kUnknownId;
  std::int64_t event_id = kUnknownId;
};

/// Details of operators and annotations. Texts are JSON without white space: "[[64,512],[512]]".
struct OpDetail {
  StringId input_dims = 0, input_types = 0, input_strides = 0, concrete_inputs = 0;
  StringId module_hierarchy = 0, call_stack = 0;  ///< the stack only when asked for
  std::int64_t sequence_number = kUnknownId;      ///< joins forward and backward
  std::int64_t forward_thread = kUnknownId;       ///< > 0: a backward operator
  std::uint32_t collective = kNone;               ///< index in Timeline::collectives
};

/// Details of Python frames, when asked for.
struct PythonDetail {
  std::int64_t id = kUnknownId, parent = kUnknownId, module = kUnknownId;
};

/// Details of kernels and operators that are part of a collective.
struct CollectiveDetail {
  StringId name = 0, dtype = 0, group_name = 0, group_description = 0, group_ranks = 0;
  std::int64_t elements_in = kUnknownNumber, elements_out = kUnknownNumber;
  std::int64_t group_size = kUnknownNumber;
  std::int64_t source_rank = kUnknownNumber, target_rank = kUnknownNumber;
  std::int64_t sequence = kUnknownNumber;
};

/// A "[memory]" row: one allocation or free.
struct MemoryEvent {
  std::int64_t time_ns = 0;
  std::int64_t bytes = 0;  ///< negative: freed
  std::int64_t address = kUnknownNumber;
  std::int64_t total_allocated_bytes = kUnknownNumber, total_reserved_bytes = kUnknownNumber;
  std::uint32_t track = 0;
  std::int32_t device_type = -1;  ///< c10: 0 CPU, 1 CUDA, ...
  std::int32_t device = -1;
};

}  // namespace tune::profile
