#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace tune::worker {

/// LibTorch's allocator for the CPU throws its plain error type, as do workspaces on a GPU; and an
/// interpreter of TorchScript makes a std::runtime_error of whatever was thrown in it.
inline bool says_out_of_memory(std::string_view message) {
  constexpr std::array<std::string_view, 5> kWords = {"can't allocate memory",
                                                      "not enough memory",
                                                      "STATUS_ALLOC_FAILED",  // cuBLAS, cuDNN
                                                      "could not create a memory object",
                                                      "CUDA out of memory"};
  return std::any_of(kWords.begin(), kWords.end(), [&](std::string_view words) {
    return message.find(words) != std::string_view::npos;
  });
}

}  // namespace tune::worker
