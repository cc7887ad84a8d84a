#include "worker/cuda/nccl_backend.h"

#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>

#if __has_include(<nccl.h>)
#define USE_C10D_NCCL 1
#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>
#endif

namespace tune::worker {

#ifdef USE_C10D_NCCL

std::string connect_nccl(c10d::ProcessGroup& group) {
  group.setBackend(c10::DeviceType::CUDA,
                   c10d::ProcessGroup::NCCL,
                   c10::make_intrusive<c10d::ProcessGroupNCCL>(
                       group.getStore(), group.getRank(), group.getSize()));
  group.setDefaultBackend(c10d::ProcessGroup::NCCL);
  return "";
}

#else

std::string connect_nccl(c10d::ProcessGroup& /*group*/) {
  return "the CUDA part was built without NCCL, whose header nccl.h is not next to CUDA's";
}

#endif

}  // namespace tune::worker
