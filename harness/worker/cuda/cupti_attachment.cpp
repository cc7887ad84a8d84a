#include "worker/cuda/cupti_attachment.h"

#include "worker/cuda/cupti_records.h"

#include <array>
#include <string_view>
#include <utility>

namespace tune::worker {

namespace {

// 13.0 before update 1 loses sync records, hangs when it is disabled and crashes when it is flushed
// (release notes of CUDA 13.0 update 1).
constexpr std::uint32_t kOldestOfCuda13 = 130001;
constexpr std::uint32_t kMajorUnit = 10'000;

// Called thousands of times per step without saying anything about the step; Kineto leaves out most
// of them, too.
constexpr std::array<CUpti_CallbackId, 9> kNoisyRuntimeCalls = {
    CUPTI_RUNTIME_TRACE_CBID_cudaGetDevice_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaSetDevice_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaGetLastError_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaPeekAtLastError_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaEventCreate_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaEventCreateWithFlags_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaEventDestroy_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaEventQuery_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaStreamIsCapturing_v10000};

// Triton, cuBLAS and others launch without the runtime (cuLaunchKernel, cuLaunchKernelEx,
// cuLaunchCooperativeKernel, cuGraphLaunch and whatever a later CUPTI adds), and the allocator maps
// memory without it.
bool is_wanted(const CuptiApi& api, CUpti_CallbackId call) {
  const char* name = nullptr;
  if (call == CUPTI_DRIVER_TRACE_CBID_cuMemCreate || call == CUPTI_DRIVER_TRACE_CBID_cuMemMap ||
      call == CUPTI_DRIVER_TRACE_CBID_cuMemUnmap) {
    return true;
  }
  return api.callback_name(CUPTI_CB_DOMAIN_DRIVER_API, call, &name) == CUPTI_SUCCESS &&
         name != nullptr && std::string_view(name).find("Launch") != std::string_view::npos;
}

// CUPTI requires a function; we subscribe to nothing.
void ignore_callback(void* /*user*/,
                     CUpti_CallbackDomain /*domain*/,
                     CUpti_CallbackId /*callback*/,
                     const void* /*data*/) {}

}  // namespace

std::string why_not_cupti(std::uint32_t loaded, std::uint32_t headers) {
  const bool is_13 = headers >= kCuptiOfCuda13;
  const std::uint32_t oldest = is_13 ? kOldestOfCuda13 : headers;
  if (loaded >= oldest && loaded / kMajorUnit == oldest / kMajorUnit) {
    return "";
  }
  std::string text = "CUPTI " + std::to_string(loaded) + " is loaded, " + std::to_string(oldest);
  text += is_13 ? " (CUDA 13.0 update 1) or a later 13 is needed"
                : " (the one it was built with) or a later one of CUDA 12 is needed";
  return text;
}

std::optional<Unavailable> CuptiAttachment::attach(const TraceOptions& options,
                                                   const CuptiCallbacks& callbacks) {
  std::uint32_t version = 0;
  if (const CUptiResult result = api_.get_version(&version); result != CUPTI_SUCCESS) {
    return refused(result, "cuptiGetVersion");
  }
  if (std::string text = why_not_cupti(version, kCuptiOfHeaders); !text.empty()) {
    return Unavailable{"old_cupti", std::move(text)};
  }
  version_ = version;
  if (auto reason = subscribe()) {
    return reason;
  }
  if (!prepare(options, callbacks) || !enable_kinds(options)) {
    detach();
    return failure_;
  }
  choose_calls(options);
  return std::nullopt;
}

std::optional<Unavailable> CuptiAttachment::subscribe() {
  OtherTool other{};
  const CUptiResult result = api_.subscribe(&subscriber_, ignore_callback, "tune", other);
  if (result == CUPTI_SUCCESS) {
    return std::nullopt;
  }
  subscriber_ = nullptr;
  if (result != CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED) {
    return refused(result, "cuptiSubscribe");
  }
  other.back() = '\0';
  std::string text = other.front() == '\0' ? "another tool" : other.data();
  text += " already profiles this process, and CUPTI supports only one tool";
  return Unavailable{"busy", std::move(text)};
}

bool CuptiAttachment::prepare(const TraceOptions& options, const CuptiCallbacks& callbacks) {
  worked(api_.set_thread_id_type(CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM),
         Need::may,
         "thread ids of the system");
  std::uint8_t are_zeroed = 1;
  std::size_t size = sizeof are_zeroed;
  worked(api_.set_attribute(CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER, &size, &are_zeroed),
         Need::may,
         "zeroed buffers");
  has_own_clock_ =
      options.own_clock && worked(api_.register_clock(callbacks.clock), Need::may, "our own clock");
  return worked(api_.register_buffers(callbacks.request, callbacks.complete),
                Need::must,
                "cuptiActivityRegisterCallbacks");
}

bool CuptiAttachment::enable_kinds(const TraceOptions& options) {
  for (const CUpti_ActivityKind kind :
       {CUPTI_ACTIVITY_KIND_DEVICE, CUPTI_ACTIVITY_KIND_CONTEXT, CUPTI_ACTIVITY_KIND_STREAM}) {
    if (worked(api_.enable_and_dump(kind), Need::may, "rows of devices and streams")) {
      enabled_.push_back(kind);
    }
  }
  if (options.overhead) {
    enable(CUPTI_ACTIVITY_KIND_OVERHEAD, Need::may, "overhead");
  }
  // Not KIND_KERNEL, which makes kernels run one after the other.
  bool has_all = enable(CUPTI_ACTIVITY_KIND_MEMCPY, Need::must, "copies") &&
                 enable(CUPTI_ACTIVITY_KIND_MEMSET, Need::must, "memory sets") &&
                 enable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, Need::must, "kernels");
  if (!has_all) {
    return false;
  }
  enable(CUPTI_ACTIVITY_KIND_MEMCPY2, Need::may, "copies between devices");
  if (!options.graph_nodes) {
    enable(CUPTI_ACTIVITY_KIND_GRAPH_TRACE, Need::may, "CUDA graphs");
  }
  if (options.synchronization) {
    enable(CUPTI_ACTIVITY_KIND_SYNCHRONIZATION, Need::may, "synchronisation");
    worked(api_.enable_all_syncs(0), Need::may, "leaving out queries that wait for nothing");
    if (version_ >= kCuptiOfCuda129) {  // before, they come with SYNCHRONIZATION
      enable(CUPTI_ACTIVITY_KIND_CUDA_EVENT, Need::may, "the events that waits wait for");
    }
  }
  return enable(CUPTI_ACTIVITY_KIND_RUNTIME, Need::must, "calls of the runtime");
}

// After RUNTIME: enabling a kind enables all of its calls.
void CuptiAttachment::choose_calls(const TraceOptions& options) {
  for (const CUpti_CallbackId call : kNoisyRuntimeCalls) {
    worked(api_.enable_runtime_call(call, 0), Need::may, "leaving out noisy calls");
  }
  // Enabling single calls records nothing (CUPTI 13.0 update 1 on an H200): the kind must be
  // enabled, and then all other calls disabled.
  if (options.driver_calls &&
      enable(CUPTI_ACTIVITY_KIND_DRIVER, Need::may, "calls of the driver")) {
    for (CUpti_CallbackId call = 1; call < CUPTI_DRIVER_TRACE_CBID_SIZE; ++call) {
      if (!is_wanted(api_, call)) {
        (void)api_.enable_driver_call(call, 0);  // some numbers in between are unused
      }
    }
  }
}

bool CuptiAttachment::enable(CUpti_ActivityKind kind, Need need, const char* rows) {
  const bool is_on = worked(api_.enable(kind), need, rows);
  if (is_on) {
    enabled_.push_back(kind);
  }
  return is_on;
}

bool CuptiAttachment::worked(CUptiResult result, Need need, const char* what) {
  if (result == CUPTI_SUCCESS) {
    return true;
  }
  if (need == Need::must) {
    failure_ = refused(result, what);
    return false;
  }
  std::string note = "without ";
  note += what;
  note += ": CUPTI says " + say(result);
  if (notes_.empty() || notes_.back() != note) {
    notes_.push_back(std::move(note));
  }
  return false;
}

std::string CuptiAttachment::say(CUptiResult result) const {
  const char* name = nullptr;
  const bool has_name = api_.result_name(result, &name) == CUPTI_SUCCESS && name != nullptr;
  std::string text = has_name ? name : "error";
  text += " (" + std::to_string(static_cast<int>(result)) + ")";
  return text;
}

Unavailable CuptiAttachment::refused(CUptiResult result, const std::string& what) const {
  std::string text = what;
  text += ": CUPTI says " + say(result);
  if (result == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES ||
      result == CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES) {
    text += "; an administrator can allow it for all users (NVreg_RestrictProfilingToAdminUsers=0)";
    return {"no_permission", text};
  }
  return {"cupti_" + std::to_string(static_cast<int>(result)), text};
}

void CuptiAttachment::detach() {
  for (const CUpti_ActivityKind kind : enabled_) {
    api_.disable(kind);
  }
  enabled_.clear();
  if (subscriber_ != nullptr) {
    api_.unsubscribe(subscriber_);
    subscriber_ = nullptr;
  }
}

}  // namespace tune::worker
