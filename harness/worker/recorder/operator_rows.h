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

/// As long as it lives, what this thread asks of LibTorch goes into the recording that is on:
/// operators, nodes of the backward pass, LibTorch's own ranges, allocations. LibTorch hands the
/// callbacks on to the threads of its autograd engine, as it does with torch.profiler's.
///
/// They belong to the thread, so that there are none while nothing is recorded: a callback of all
/// threads must be there from the start, and even disabled it makes steps of small models longer.
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
