#pragma once

#include "worker/cuda/device_row.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tune::worker {

/// Each name of a trace once.
class TraceNames {
 public:
  /// The name of a function of the runtime or the driver by CUPTI's id.
  using NameOfCall = std::function<std::string(CallRow::Interface, std::uint32_t callback)>;

  explicit TraceNames(NameOfCall name_of_call);

  std::uint32_t intern(std::string_view name);

  /// `mangled` may be null.
  std::uint32_t kernel(const char* mangled);

  std::uint32_t call(CallRow::Interface interface, std::uint32_t callback);

  /// The names by their indices; begins anew.
  std::vector<std::string> take();

 private:
  NameOfCall name_of_call_;
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::uint32_t> indices_;
  std::unordered_map<std::string, std::uint32_t> kernels_;  ///< by mangled name
  std::unordered_map<std::uint64_t, std::uint32_t> calls_;  ///< by interface and id
};

}  // namespace tune::worker
