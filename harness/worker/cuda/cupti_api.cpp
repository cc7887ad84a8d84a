#include "worker/cuda/cupti_api.h"

#include <tuple>

namespace tune::worker {

namespace {

#if CUPTI_API_VERSION >= 130000
CUptiResult subscribe(CUpti_SubscriberHandle* subscriber,
                      CUpti_CallbackFunc callback,
                      const char* name,
                      OtherTool& other) {
  static_assert(std::tuple_size_v<OtherTool> >= CUPTI_OLD_SUBSCRIBER_NAME_MIN_LEN);
  CUpti_SubscriberParams params{};
  params.structSize = CUpti_SubscriberParams_STRUCT_SIZE;
  params.subscriberName = name;
  params.oldSubscriberName = other.data();
  params.oldSubscriberSize = other.size();
  return cuptiSubscribe_v2(subscriber, callback, nullptr, &params);
}
#else
CUptiResult subscribe(CUpti_SubscriberHandle* subscriber,
                      CUpti_CallbackFunc callback,
                      const char* /*name*/,
                      OtherTool& /*other*/) {
  return cuptiSubscribe(subscriber, callback, nullptr);
}
#endif

CUptiResult enable_all_syncs(std::uint8_t enable) {
#if CUPTI_API_VERSION >= 26
  return cuptiActivityEnableAllSyncRecords(enable);
#else  // CUDA 12.6
  return enable == 0 ? CUPTI_ERROR_NOT_SUPPORTED : CUPTI_SUCCESS;
#endif
}

}  // namespace

const CuptiApi& linked_cupti() {
  static const CuptiApi api = {
      .get_version = cuptiGetVersion,
      .subscribe = subscribe,
      .unsubscribe = cuptiUnsubscribe,
      .set_thread_id_type = cuptiSetThreadIdType,
      .set_attribute = cuptiActivitySetAttribute,
      .register_clock = cuptiActivityRegisterTimestampCallback,
      .register_buffers = cuptiActivityRegisterCallbacks,
      .enable = cuptiActivityEnable,
      .enable_and_dump = cuptiActivityEnableAndDump,
      .disable = cuptiActivityDisable,
      .enable_all_syncs = enable_all_syncs,
      .enable_runtime_call = cuptiActivityEnableRuntimeApi,
      .enable_driver_call = cuptiActivityEnableDriverApi,
      .flush = cuptiActivityFlushAll,
      .count_dropped = cuptiActivityGetNumDroppedRecords,
      .next_record = cuptiActivityGetNextRecord,
      .callback_name = cuptiGetCallbackName,
      .result_name = cuptiGetResultString,
  };
  return api;
}

}  // namespace tune::worker
