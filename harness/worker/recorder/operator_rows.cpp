#include "worker/recorder/operator_rows.h"

#include "base/clock.h"
#include "worker/recorder/input_bytes.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>
#include <c10/core/Allocator.h>
#include <c10/core/ScalarTypeToTypeMeta.h>

#include <limits>
#include <memory>
#include <optional>
#include <string_view>

namespace tune::worker {

namespace {

using Sizes = std::span<const std::int64_t>;

// Nothing for symbolic, ragged or sparse sizes: they have no plain numbers.
std::optional<TensorShape> plain_shape(const at::Tensor& tensor) {
  const c10::TensorImpl& impl = *tensor.unsafeGetTensorImpl();
  if (!tensor.defined() || impl.layout() != at::kStrided || tensor.is_nested() ||
      impl.has_symbolic_sizes_strides()) {
    return std::nullopt;
  }
  const at::IntArrayRef sizes = impl.sizes(), strides = impl.strides();
  if (sizes.size() > std::numeric_limits<std::uint8_t>::max()) {
    return std::nullopt;
  }
  return TensorShape{static_cast<std::int8_t>(tensor.scalar_type()),
                     Sizes(sizes.data(), sizes.size()),
                     Sizes(strides.data(), strides.size())};
}

template <class Get>
void put_list(const c10::IValue& value, InputKind kind, Get get, InputBytes& bytes) {
  const auto entries = value.toListRef();
  bytes.begin_list(kind, entries.size());
  for (const c10::IValue& entry : entries) {
    bytes.put_number(get(entry));
  }
}

void capture_list(const c10::IValue& value, InputBytes& bytes) {
  if (value.isTensorList()) {
    const auto tensors = value.toListRef();
    bytes.begin_list(InputKind::tensor_list, tensors.size());
    for (const c10::IValue& tensor : tensors) {
      bytes.put_shape(plain_shape(tensor.toTensor()).value_or(TensorShape()));
    }
  } else if (value.isIntList()) {
    put_list(
        value, InputKind::whole_list, [](const auto& entry) { return entry.toInt(); }, bytes);
  } else if (value.isDoubleList()) {
    put_list(
        value, InputKind::real_list, [](const auto& entry) { return entry.toDouble(); }, bytes);
  } else if (value.isBoolList()) {
    put_list(
        value, InputKind::flag_list, [](const auto& entry) { return entry.toBool(); }, bytes);
  } else {
    bytes.add_nothing();
  }
}

void capture(const c10::IValue& value, InputBytes& bytes) {
  if (value.isTensor()) {
    if (const auto shape = plain_shape(value.toTensor())) {
      bytes.add(*shape);
    } else {
      bytes.add_nothing();
    }
  } else if (value.isInt()) {
    bytes.add(value.toInt());
  } else if (value.isDouble()) {
    bytes.add(value.toDouble());
  } else if (value.isBool()) {
    bytes.add(value.toBool());
  } else if (value.isList()) {
    capture_list(value, bytes);
  } else {
    bytes.add_nothing();
  }
}

// Records the inputs of a call, in its start callback. Does not throw: writes nothing for a tensor
// without sizes.
void capture_inputs(const at::RecordFunction& call, InputBytes& bytes) {
  for (const c10::IValue& value : call.inputs()) {
    capture(value, bytes);
  }
}

}  // namespace

std::vector<std::string> dtype_names() {
  std::vector<std::string> names;
  const auto count = static_cast<int>(at::ScalarType::NumOptions);
  names.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    const auto type = static_cast<at::ScalarType>(i);
    const bool has_name = type != at::ScalarType::Undefined;
    names.emplace_back(has_name ? c10::scalarTypeToTypeMeta(type).name() : "");
  }
  return names;
}

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

// LibTorch logs exceptions of a callback, for every call; without memory nothing is recorded.
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
    // NOLINTNEXTLINE(bugprone-signed-char-misuse): a number, -1 for none
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
