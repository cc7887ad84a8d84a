#include "worker/recorder/operator_rows.h"

#include "base/monotonic_clock.h"
#include "worker/recorder/input_capture.h"

#include <c10/core/Allocator.h>

#include <memory>
#include <string_view>

namespace tune::worker {

namespace {

EventKind kind_of(at::RecordScope scope) {
  switch (scope) {
    case at::RecordScope::BACKWARD_FUNCTION:
      return EventKind::backward;
    case at::RecordScope::USER_SCOPE:
      return EventKind::annotation;
    default:
      return EventKind::op;
  }
}

// LibTorch logs what a callback throws, for every call; without memory nothing is recorded.
std::unique_ptr<at::ObserverContext> begin_row(const at::RecordFunction& call) {
  Recording* const recording = Recording::active();
  ThreadLog* const log = recording == nullptr ? nullptr : recording->log_of_this_thread();
  if (log == nullptr) {
    return nullptr;
  }
  log->set_torch_thread(static_cast<std::uint32_t>(call.threadId()));
  const NameTable::Name& name = log->name(call.name());
  const Recording::Options& options = recording->options();
  EventStart start;
  start.kind = kind_of(call.scope());
  start.name = name.id;
  start.sequence = call.seqNr();
  start.forward_thread = static_cast<std::uint32_t>(call.forwardThreadId());
  if (options.shapes || (options.flops && name.counts_flops)) {
    InputBytes inputs(log->input_space());
    capture_inputs(call, inputs);
    start.inputs = call.inputs().empty() ? kNoInputs : log->keep_inputs(inputs.size());
  }
  log->begin(start);
  return nullptr;
}

void end_row(const at::RecordFunction& /*call*/, at::ObserverContext* /*context*/) {
  Recording* const recording = Recording::active();
  ThreadLog* const log = recording == nullptr ? nullptr : recording->log_of_this_thread();
  if (log != nullptr) {
    log->end();
  }
}

class AllocationRows : public c10::MemoryReportingInfoBase {
 public:
  void reportMemoryUsage(void* address,
                         std::int64_t bytes,
                         std::size_t total_allocated,
                         std::size_t total_reserved,
                         c10::Device device) override {
    Recording* const recording = Recording::active();
    ThreadLog* const log = recording == nullptr ? nullptr : recording->log_of_this_thread();
    if (log == nullptr) {
      return;
    }
    MemoryRow row;
    row.time_ns = monotonic_ns();
    row.address = reinterpret_cast<std::uintptr_t>(address);
    row.bytes = bytes;
    row.total_allocated = static_cast<std::int64_t>(total_allocated);
    row.total_reserved = static_cast<std::int64_t>(total_reserved);
    row.device_type = static_cast<std::int16_t>(device.type());
    // NOLINTNEXTLINE(bugprone-signed-char-misuse): a number, -1 where there is none
    row.device = device.index();
    log->add(row);
  }

  bool memoryProfilingEnabled() const override { return true; }
};

}  // namespace

OperatorRows::OperatorRows(const trial::Profile& profile) {
  if (profile.profile_memory) {
    allocations_.emplace(c10::DebugInfoKind::PROFILER_STATE, std::make_shared<AllocationRows>());
  }
  handle_ = at::addThreadLocalCallback(at::RecordFunctionCallback(begin_row, end_row)
                                           .needsInputs(profile.record_shapes || profile.with_flops)
                                           .scopes({at::RecordScope::FUNCTION,
                                                    at::RecordScope::BACKWARD_FUNCTION,
                                                    at::RecordScope::USER_SCOPE}));
}

OperatorRows::~OperatorRows() {
  at::removeCallback(handle_);
}

}  // namespace tune::worker
