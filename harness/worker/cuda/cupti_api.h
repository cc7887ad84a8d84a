#pragma once

#include <cupti.h>

#include <array>
#include <cstdint>

namespace tune::worker {

/// The name of the tool that has CUPTI already; "" where it does not say (CUPTI of CUDA 12 never
/// does).
using OtherTool = std::array<char, 128>;

/// The functions of CUPTI that a session calls, so that tests can replace them.
struct CuptiApi {
  decltype(&cuptiGetVersion) get_version = nullptr;
  CUptiResult (*subscribe)(CUpti_SubscriberHandle* subscriber,
                           CUpti_CallbackFunc callback,
                           const char* name,
                           OtherTool& other) = nullptr;
  decltype(&cuptiUnsubscribe) unsubscribe = nullptr;
  decltype(&cuptiSetThreadIdType) set_thread_id_type = nullptr;
  decltype(&cuptiActivitySetAttribute) set_attribute = nullptr;
  decltype(&cuptiActivityRegisterTimestampCallback) register_clock = nullptr;
  decltype(&cuptiActivityRegisterCallbacks) register_buffers = nullptr;
  decltype(&cuptiActivityEnable) enable = nullptr;
  decltype(&cuptiActivityEnableAndDump) enable_and_dump = nullptr;
  decltype(&cuptiActivityDisable) disable = nullptr;
  CUptiResult (*enable_all_syncs)(std::uint8_t enable) = nullptr;
  decltype(&cuptiActivityEnableRuntimeApi) enable_runtime_call = nullptr;
  decltype(&cuptiActivityEnableDriverApi) enable_driver_call = nullptr;
  decltype(&cuptiActivityFlushAll) flush = nullptr;
  decltype(&cuptiActivityGetNumDroppedRecords) count_dropped = nullptr;
  decltype(&cuptiActivityGetNextRecord) next_record = nullptr;
  decltype(&cuptiGetCallbackName) callback_name = nullptr;
  decltype(&cuptiGetResultString) result_name = nullptr;
};

/// The functions of the linked library.
const CuptiApi& linked_cupti();

}  // namespace tune::worker
