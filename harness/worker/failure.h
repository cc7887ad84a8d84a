#pragma once

#include "trial/trial_reply.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace tune::worker {

class RankProcesses;

/// LibTorch's CPU allocator throws its plain error type, as do workspaces on a GPU, and the
/// TorchScript interpreter turns every exception into a std::runtime_error.
inline bool says_out_of_memory(std::string_view message) {
  constexpr std::array<std::string_view, 7> kWords = {"can't allocate memory",
                                                      "not enough memory",
                                                      "STATUS_ALLOC_FAILED",  // cuBLAS, cuDNN
                                                      "could not create a memory object",
                                                      "CUDA out of memory",
                                                      // Outside LibTorch's allocator: a context, a
                                                      // library, a call of our own.
                                                      "CUDA error: out of memory",
                                                      ": out of memory (2)"};
  return std::any_of(kWords.begin(), kWords.end(), [&](std::string_view words) {
    return message.find(words) != std::string_view::npos;
  });
}

/// An error of the device: the process can no longer use it, and no setting caused it. LibTorch
/// writes "CUDA error: ...", calls of our own "cudaDeviceSynchronize: ... (700)".
inline bool says_device_failed(std::string_view message) {
  const bool is_our_call = message.starts_with("cuda") && message.ends_with(")") &&
                           message.find(": ") != std::string_view::npos;
  return is_our_call || message.find("CUDA error: ") != std::string_view::npos;
}

/// The current exception as the reply reports it. Call it only inside a catch block.
trial::Failure describe_failure();

/// The same for a trial on several devices: `others`, null without, may know of the cause.
trial::Failure failure_of_trial(RankProcesses* others);

}  // namespace tune::worker
