#pragma once

#include <string>

namespace c10d {
class ProcessGroup;
}

namespace tune::worker {

/// Gives the group LibTorch's NCCL for tensors on GPUs. Returns why it cannot, else "".
std::string connect_nccl(c10d::ProcessGroup& group);

}  // namespace tune::worker
