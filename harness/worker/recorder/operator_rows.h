#pragma once

#include "trial/profile.h"
#include "worker/recorder/recording.h"

#include <ATen/record_function.h>
#include <c10/util/ThreadLocalDebugInfo.h>

#include <optional>
#include <string>
#include <vector>

namespace tune::worker {

/// Names of tensors' types as torch.profiler writes them ("float", "c10::BFloat16"), by their
/// number.
std::vector<std::string> dtype_names();

/// During its lifetime, this thread's calls into LibTorch go into the active recording: operators,
/// nodes of the backward pass, LibTorch's own ranges, allocations. LibTorch passes the callbacks on
/// to the threads of its autograd engine, as it does with torch.profiler's.
///
/// The callbacks belong to the thread, so that none exist while nothing is recorded: a callback for
/// all threads must exist from the start, and even disabled it makes steps of small models longer.
class OperatorRows {
 public:
  explicit OperatorRows(const trial::Profile& profile);
  ~OperatorRows();
  OperatorRows(const OperatorRows&) = delete;
  OperatorRows& operator=(const OperatorRows&) = delete;

 private:
  at::CallbackHandle handle_ = 0;
  std::optional<c10::DebugInfoGuard> allocations_;
};

}  // namespace tune::worker
