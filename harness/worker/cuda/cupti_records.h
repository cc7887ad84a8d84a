#pragma once

#include <cupti.h>

#include <cstddef>
#include <cstdint>

/// The records of the CUPTI whose headers this is compiled with. A later CUPTI of the same CUDA
/// only appends to a struct, so its records are read as these.
namespace tune::worker {

/// How CUPTI numbers itself: 24 with CUDA 12.6, 26 with 12.8, 28 with 12.9; from CUDA 13 on by
/// CUDA's number, 130001 with 13.0 update 1.
constexpr std::uint32_t kCuptiOfHeaders = CUPTI_API_VERSION;
constexpr std::uint32_t kCuptiOfCuda126 = 24, kCuptiOfCuda128 = 26, kCuptiOfCuda129 = 28;
constexpr std::uint32_t kCuptiOfCuda13 = 130000;
static_assert(kCuptiOfHeaders >= kCuptiOfCuda126, "CUPTI of CUDA 12.6 or newer is needed");

#if CUPTI_API_VERSION >= 130000
using KernelRecord = CUpti_ActivityKernel10;
#else
using KernelRecord = CUpti_ActivityKernel9;
#endif
#if CUPTI_API_VERSION >= 26
using CopyRecord = CUpti_ActivityMemcpy6;
using SyncRecord = CUpti_ActivitySynchronization2;
using CudaEventRecord = CUpti_ActivityCudaEvent2;
#else
using CopyRecord = CUpti_ActivityMemcpy5;
using SyncRecord = CUpti_ActivitySynchronization;
using CudaEventRecord = CUpti_ActivityCudaEvent;
#endif

// With headers of another layout we would read nonsense.
static_assert(sizeof(KernelRecord) >= 208);
static_assert(offsetof(KernelRecord, start) == 16);
static_assert(offsetof(KernelRecord, correlationId) == 92);
static_assert(offsetof(KernelRecord, name) == 104);
static_assert(offsetof(KernelRecord, graphNodeId) == 144);
static_assert(offsetof(KernelRecord, graphId) == 156);
static_assert(sizeof(CUpti_ActivityMemcpyPtoP4) == 96 && sizeof(CUpti_ActivityMemset4) == 88);
static_assert(sizeof(CUpti_ActivityAPI) == 40 && sizeof(CUpti_ActivityOverhead3) == 56);
static_assert(sizeof(CUpti_ActivityGraphTrace2) == 56);
static_assert(sizeof(CUpti_ActivityExternalCorrelation) == 24);
static_assert(offsetof(CopyRecord, graphId) == 72 && offsetof(SyncRecord, cudaEventId) == 36);

/// Which record of its event a wait waits for; 0: CUPTI of CUDA 12.6 does not say.
template <class Record>
std::uint64_t event_sync_of(const Record& record) {
  if constexpr (requires { record.cudaEventSyncId; }) {
    return record.cudaEventSyncId;
  } else {
    return 0;
  }
}

}  // namespace tune::worker
