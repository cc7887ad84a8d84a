#include "worker/structure_count.h"

#include <ATen/record_function.h>
#include <c10/core/Allocator.h>
#include <c10/util/ThreadLocalDebugInfo.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string_view>

namespace tune::worker {

namespace {

// Callbacks get no state, and on a GPU a thread of autograd, to which LibTorch carries the
// callbacks, runs the backward pass. So the state belongs to the process, and it outlives
// everything that still frees memory after counting ends.
struct Counters {
  std::atomic<bool> is_on = false;
  std::atomic<std::int64_t> operators = 0, backward_operators = 0, allocations = 0;
  std::atomic<std::int64_t> allocated_bytes = 0, held_bytes = 0, peak_bytes = 0;

  void begin() {
    for (auto* const counter : {&operators,
                                &backward_operators,
                                &allocations,
                                &allocated_bytes,
                                &held_bytes,
                                &peak_bytes}) {
      counter->store(0);
    }
    is_on = true;
  }
};

Counters& counters() {
  static Counters all;
  return all;
}

std::unique_ptr<at::ObserverContext> count_operator(const at::RecordFunction& call) {
  Counters& counted = counters();
  if (!counted.is_on) {
    return nullptr;
  }
  if (call.scope() == at::RecordScope::BACKWARD_FUNCTION) {
    ++counted.backward_operators;
  } else if (!std::string_view(call.name())
                  .starts_with("autograd::engine::")) {  // wraps the former
    ++counted.operators;
  }
  return nullptr;
}

class AllocationCount : public c10::MemoryReportingInfoBase {
 public:
  void reportMemoryUsage(void* /*address*/,
                         std::int64_t bytes,
                         std::size_t /*total_allocated*/,
                         std::size_t /*total_reserved*/,
                         c10::Device /*device*/) override {
    Counters& counted = counters();
    if (!counted.is_on) {
      return;
    }
    const std::int64_t held_bytes = counted.held_bytes += bytes;  // less than 0: freed
    if (bytes > 0) {
      ++counted.allocations;
      counted.allocated_bytes += bytes;
      std::int64_t peak_bytes = counted.peak_bytes;
      while (held_bytes > peak_bytes &&
             !counted.peak_bytes.compare_exchange_weak(peak_bytes, held_bytes)) {
      }
    }
  }

  bool memoryProfilingEnabled() const override { return true; }
};

/// Listens during its lifetime: to its own thread and to those that work for it.
class Listening {
 public:
  Listening()
      : allocations_(c10::DebugInfoKind::PROFILER_STATE, std::make_shared<AllocationCount>()) {
    counters().begin();
    handle_ = at::addThreadLocalCallback(
        at::RecordFunctionCallback(count_operator)
            .scopes({at::RecordScope::FUNCTION, at::RecordScope::BACKWARD_FUNCTION}));
  }
  ~Listening() {
    at::removeCallback(handle_);
    counters().is_on = false;
  }
  Listening(const Listening&) = delete;
  Listening& operator=(const Listening&) = delete;

 private:
  c10::DebugInfoGuard allocations_;
  at::CallbackHandle handle_ = 0;
};

}  // namespace

trial::Structure count_structure(const std::function<void()>& work) {
  {
    const Listening listening;
    work();
  }
  const Counters& counted = counters();
  trial::Structure structure;
  structure.operators = counted.operators;
  structure.backward_operators = counted.backward_operators;
  structure.allocations = counted.allocations;
  structure.allocated_bytes = counted.allocated_bytes;
  structure.peak_bytes = counted.peak_bytes;
  return structure;
}

}  // namespace tune::worker
