#include "worker/structure_count.h"

#include <ATen/record_function.h>
#include <c10/core/Allocator.h>
#include <c10/util/ThreadLocalDebugInfo.h>

#include <algorithm>
#include <memory>
#include <string_view>

namespace tune::worker {

namespace {

// Of the thread that counts; a callback is told no state, so there is no other place for it.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
thread_local trial::Structure* counted = nullptr;

std::unique_ptr<at::ObserverContext> count_operator(const at::RecordFunction& call) {
  if (counted == nullptr) {
    return nullptr;
  }
  if (call.scope() == at::RecordScope::BACKWARD_FUNCTION) {
    ++counted->backward_operators;
  } else if (!std::string_view(call.name())
                  .starts_with("autograd::engine::")) {  // wraps the former
    ++counted->operators;
  }
  return nullptr;
}

class AllocationCount : public c10::MemoryReportingInfoBase {
 public:
  explicit AllocationCount(trial::Structure& structure) : structure_(structure) {}

  void reportMemoryUsage(void* /*address*/,
                         std::int64_t bytes,
                         std::size_t /*total_allocated*/,
                         std::size_t /*total_reserved*/,
                         c10::Device /*device*/) override {
    held_bytes_ += bytes;  // less than 0: given back
    if (bytes > 0) {
      ++structure_.allocations;
      structure_.allocated_bytes += bytes;
      structure_.peak_bytes = std::max(structure_.peak_bytes, held_bytes_);
    }
  }

  bool memoryProfilingEnabled() const override { return true; }

 private:
  trial::Structure& structure_;
  std::int64_t held_bytes_ = 0;
};

/// Listens as long as it lives, to its own thread.
class Listening {
 public:
  explicit Listening(trial::Structure& structure)
      : allocations_(c10::DebugInfoKind::PROFILER_STATE,
                     std::make_shared<AllocationCount>(structure)) {
    counted = &structure;
    handle_ = at::addThreadLocalCallback(
        at::RecordFunctionCallback(count_operator)
            .scopes({at::RecordScope::FUNCTION, at::RecordScope::BACKWARD_FUNCTION}));
  }
  ~Listening() {
    at::removeCallback(handle_);
    counted = nullptr;
  }
  Listening(const Listening&) = delete;
  Listening& operator=(const Listening&) = delete;

 private:
  c10::DebugInfoGuard allocations_;
  at::CallbackHandle handle_ = 0;
};

}  // namespace

trial::Structure count_structure(const std::function<void()>& work) {
  trial::Structure structure;
  {
    const Listening listening(structure);
    work();
  }
  return structure;
}

}  // namespace tune::worker
