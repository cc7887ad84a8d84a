#include "fake_cupti.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace tune::worker {

namespace {

FakeCupti* current = nullptr;

CUptiResult say(const std::string& call) {
  current->calls.push_back(call);
  const auto found = current->answers.find(call);
  return found == current->answers.end() ? CUPTI_SUCCESS : found->second;
}

std::string numbered(const char* call, int number) {
  return std::string(call) + " " + std::to_string(number);
}

CUptiResult get_version(std::uint32_t* version) {
  *version = current->version;
  return say("version");
}

CUptiResult subscribe(CUpti_SubscriberHandle* subscriber,
                      CUpti_CallbackFunc callback,
                      const char* name,
                      OtherTool& other) {
  if (callback == nullptr) {
    return CUPTI_ERROR_INVALID_PARAMETER;
  }
  const CUptiResult result = say(std::string("subscribe ") + name);
  if (result == CUPTI_SUCCESS) {
    *subscriber = reinterpret_cast<CUpti_SubscriberHandle>(current);
  } else {
    std::strncpy(other.data(), current->other_subscriber.c_str(), other.size() - 1);
  }
  return result;
}

CUptiResult unsubscribe(CUpti_SubscriberHandle subscriber) {
  return subscriber == reinterpret_cast<CUpti_SubscriberHandle>(current)
             ? say("unsubscribe")
             : CUPTI_ERROR_INVALID_PARAMETER;
}

CUptiResult set_thread_id_type(CUpti_ActivityThreadIdType type) {
  return say(numbered("thread ids", type));
}

CUptiResult set_attribute(CUpti_ActivityAttribute attribute, std::size_t* size, void* value) {
  return *size == 1 && *static_cast<std::uint8_t*>(value) == 1 ? say(numbered("set", attribute))
                                                               : CUPTI_ERROR_INVALID_PARAMETER;
}

CUptiResult register_clock(CUpti_TimestampCallbackFunc clock) {
  return clock() > 0 ? say("clock") : CUPTI_ERROR_INVALID_PARAMETER;
}

CUptiResult register_buffers(CUpti_BuffersCallbackRequestFunc request,
                             CUpti_BuffersCallbackCompleteFunc complete) {
  current->request = request;
  current->complete = complete;
  return say("buffers");
}

CUptiResult enable(CUpti_ActivityKind kind) {
  return say(numbered("enable", kind));
}

CUptiResult enable_and_dump(CUpti_ActivityKind kind) {
  return say(numbered("dump", kind));
}

CUptiResult disable(CUpti_ActivityKind kind) {
  return say(numbered("disable", kind));
}

CUptiResult enable_all_syncs(std::uint8_t on) {
  return say(numbered("all syncs", on));
}

CUptiResult enable_runtime_call(CUpti_CallbackId call, std::uint8_t on) {
  return say(numbered(on == 0 ? "runtime off" : "runtime on", static_cast<int>(call)));
}

CUptiResult enable_driver_call(CUpti_CallbackId call, std::uint8_t on) {
  return say(numbered(on == 0 ? "driver off" : "driver on", static_cast<int>(call)));
}

CUptiResult flush(std::uint32_t flag) {
  if (flag == CUPTI_ACTIVITY_FLAG_FLUSH_FORCED) {
    current->write_buffers();
  }
  return say(numbered("flush", static_cast<int>(flag)));
}

CUptiResult count_dropped(CUcontext /*context*/, std::uint32_t /*stream*/, std::size_t* dropped) {
  *dropped = current->dropped;
  current->dropped = 0;
  return say("count dropped");
}

CUptiResult next_record(std::uint8_t* buffer, std::size_t /*valid*/, CUpti_Activity** record) {
  const std::vector<std::size_t>& begins = current->begins.at(buffer);
  const auto* const last = reinterpret_cast<const std::uint8_t*>(*record);
  const auto next =
      last == nullptr
          ? begins.begin()
          : std::upper_bound(begins.begin(), begins.end(), static_cast<std::size_t>(last - buffer));
  if (next == begins.end()) {
    return current->end_of_buffer;
  }
  *record = reinterpret_cast<CUpti_Activity*>(buffer + *next);
  return CUPTI_SUCCESS;
}

CUptiResult callback_name(CUpti_CallbackDomain domain, std::uint32_t call, const char** name) {
  if (call > 100'000) {
    return CUPTI_ERROR_INVALID_PARAMETER;
  }
  if (const auto known = current->names.find({domain, call}); known != current->names.end()) {
    *name = known->second.c_str();
    return CUPTI_SUCCESS;
  }
  const bool is_launch = call == CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel ||
                         call == CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx ||
                         call == CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel;
  *name = domain == CUPTI_CB_DOMAIN_RUNTIME_API ? "cudaLaunchKernel_v7000"
          : is_launch                           ? "cuLaunchKernel"
                                                : "cuMemcpyHtoD_v2";
  return CUPTI_SUCCESS;
}

CUptiResult result_name(CUptiResult /*result*/, const char** name) {
  *name = "CUPTI_ERROR_OF_A_TEST";
  return CUPTI_SUCCESS;
}

}  // namespace

FakeCupti::FakeCupti() {
  current = this;
}

FakeCupti::~FakeCupti() {
  current = nullptr;
}

void FakeCupti::write_buffers() {
  for (std::size_t at = 0; at < to_write.size();) {
    std::uint8_t* buffer = nullptr;
    std::size_t size = 0;
    std::size_t most = 0;
    request(&buffer, &size, &most);
    if (buffer == nullptr) {
      ++at;  // this record is dropped
      continue;
    }
    std::vector<std::size_t> places;
    std::size_t end = 0;
    while (at < to_write.size() && places.size() < records_in_buffer &&
           end + to_write[at].size() <= size) {
      std::memcpy(buffer + end, to_write[at].data(), to_write[at].size());
      places.push_back(end);
      end += to_write[at].size();
      ++at;
    }
    begins[buffer] = std::move(places);
    complete(nullptr, 0, buffer, size, end);
  }
  to_write.clear();
}

const CuptiApi& FakeCupti::api() const {
  static const CuptiApi functions = {.get_version = get_version,
                                     .subscribe = subscribe,
                                     .unsubscribe = unsubscribe,
                                     .set_thread_id_type = set_thread_id_type,
                                     .set_attribute = set_attribute,
                                     .register_clock = register_clock,
                                     .register_buffers = register_buffers,
                                     .enable = enable,
                                     .enable_and_dump = enable_and_dump,
                                     .disable = disable,
                                     .enable_all_syncs = enable_all_syncs,
                                     .enable_runtime_call = enable_runtime_call,
                                     .enable_driver_call = enable_driver_call,
                                     .flush = flush,
                                     .count_dropped = count_dropped,
                                     .next_record = next_record,
                                     .callback_name = callback_name,
                                     .result_name = result_name};
  return functions;
}

int FakeCupti::place_of(const std::string& call) const {
  const auto found = std::find_if(
      calls.begin(), calls.end(), [&](const std::string& one) { return one.starts_with(call); });
  return found == calls.end() ? -1 : static_cast<int>(found - calls.begin());
}

int FakeCupti::count_of(const std::string& call) const {
  return static_cast<int>(std::count_if(
      calls.begin(), calls.end(), [&](const std::string& one) { return one.starts_with(call); }));
}

}  // namespace tune::worker
