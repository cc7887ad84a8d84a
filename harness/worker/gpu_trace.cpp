#include "worker/gpu_trace.h"

#include "worker/cuda_loader.h"

#include <exception>
#include <utility>

namespace tune::worker {

namespace {

// The first says most: what follows is often its consequence.
std::string why_not_valid(const std::vector<std::string>& problems) {
  constexpr std::size_t kNamed = 3;
  std::string text;
  for (std::size_t i = 0; i < problems.size() && i < kNamed; ++i) {
    text += i == 0 ? "" : "; ";
    text += problems[i];
  }
  if (problems.size() > kNamed) {
    text += "; and " + std::to_string(problems.size() - kNamed);
    text += " more";
  }
  return text + " (invalid_trace)";
}

}  // namespace

template <class Call>
void GpuTrace::guard(Call call) {
  try {
    call();
  } catch (const std::exception& error) {
    reason_ = error.what();
    reason_ += " (cupti_error)";
  }
}

void GpuTrace::start() {
  guard([this] {
    if (const auto unavailable = session_.start(TraceOptions())) {
      reason_ = no_gpu(*unavailable);
    } else {
      is_recording_ = true;
    }
  });
}

void GpuTrace::discard() {
  if (is_recording_ && reason_.empty()) {
    guard([this] { session_.discard(); });
  }
}

void GpuTrace::decode() {
  if (is_recording_ && reason_.empty()) {
    guard([this] { session_.decode(); });
  }
}

GpuTrace::~GpuTrace() {
  finish({0, 0});
}

std::optional<DeviceTraceResult> GpuTrace::finish(const std::vector<std::int64_t>& edges) {
  std::optional<DeviceTraceResult> found;
  if (!is_recording_) {
    return found;
  }
  is_recording_ = false;
  const std::string earlier = reason_;
  guard([&] { found = session_.finish(edges); });  // also after a failure: it detaches
  if (!earlier.empty()) {
    reason_ = earlier;
  } else if (found && !found->check.problems.empty()) {
    reason_ = why_not_valid(found->check.problems);
  }
  return reason_.empty() ? std::move(found) : std::nullopt;
}

}  // namespace tune::worker
