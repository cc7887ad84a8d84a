#include "worker/cuda/trace_names.h"

#include <cstdlib>
#include <cxxabi.h>
#include <utility>

namespace tune::worker {

namespace {

std::string demangled(const char* name) {
  int status = 0;
  char* const readable = abi::__cxa_demangle(name, nullptr, nullptr, &status);
  std::string text = status == 0 && readable != nullptr ? readable : name;
  std::free(readable);
  return text;
}

}  // namespace

TraceNames::TraceNames(NameOfCall name_of_call) : name_of_call_(std::move(name_of_call)) {}

std::uint32_t TraceNames::intern(std::string_view name) {
  const auto next = static_cast<std::uint32_t>(names_.size());
  const auto [found, is_new] = indices_.try_emplace(std::string(name), next);
  if (is_new) {
    names_.emplace_back(name);
  }
  return found->second;
}

std::uint32_t TraceNames::kernel(const char* mangled) {
  if (mangled == nullptr) {
    return intern("unnamed kernel");
  }
  const auto found = kernels_.find(mangled);
  if (found != kernels_.end()) {
    return found->second;
  }
  const std::uint32_t name = intern(demangled(mangled));
  kernels_.emplace(mangled, name);
  return name;
}

std::uint32_t TraceNames::call(CallRow::Interface interface, std::uint32_t callback) {
  const std::uint64_t key = (static_cast<std::uint64_t>(interface) << 32U) | callback;
  const auto found = calls_.find(key);
  if (found != calls_.end()) {
    return found->second;
  }
  const std::uint32_t name = intern(name_of_call_(interface, callback));
  calls_.emplace(key, name);
  return name;
}

std::vector<std::string> TraceNames::take() {
  indices_.clear();
  kernels_.clear();
  calls_.clear();
  return std::exchange(names_, {});
}

}  // namespace tune::worker
