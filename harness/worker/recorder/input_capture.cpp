#include "worker/recorder/input_capture.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>
#include <c10/core/ScalarTypeToTypeMeta.h>

#include <limits>
#include <optional>

namespace tune::worker {

namespace {

using Sizes = std::span<const std::int64_t>;

// Nothing for sizes that are symbols, ragged or sparse: they have no plain numbers.
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

}  // namespace

void capture_inputs(const at::RecordFunction& call, InputBytes& bytes) {
  for (const c10::IValue& value : call.inputs()) {
    capture(value, bytes);
  }
}

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

}  // namespace tune::worker
