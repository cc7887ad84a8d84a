#include "worker/cuda/cupti_api.h"

namespace tune::worker {

const CuptiApi& linked_cupti() {
  static const CuptiApi api = {
      .get_version = cuptiGetVersion,
      .subscribe = cuptiSubscribe_v2,
      .unsubscribe = cuptiUnsubscribe,
      .set_thread_id_type = cuptiSetThreadIdType,
      .set_attribute = cuptiActivitySetAttribute,
      .register_clock = cuptiActivityRegisterTimestampCallback,
      .register_buffers = cuptiActivityRegisterCallbacks,
      .enable = cuptiActivityEnable,
      .enable_and_dump = cuptiActivityEnableAndDump,
      .disable = cuptiActivityDisable,
      .enable_all_syncs = cuptiActivityEnableAllSyncRecords,
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
