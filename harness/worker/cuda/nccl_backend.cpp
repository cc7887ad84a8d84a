#include "worker/cuda/nccl_backend.h"

#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>

// What LibTorch's header of NCCL includes: the wheels have it in packages of their own.
#if __has_include(<nccl.h>) && __has_include(<nv/target>) && __has_include(<cublas_v2.h>) && \
    __has_include(<cusolverDn.h>) && __has_include(<cusparse.h>)
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
  return "the CUDA part was built without NCCL, whose headers (nccl.h, and nv/target, cublas_v2.h, "
         "cusolverDn.h, cusparse.h for it) are not next to CUDA's";
}

#endif

}  // namespace tune::worker
