#include "worker/recorder/input_capture.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>
#include <c10/core/ScalarTypeToTypeMeta.h>

#include <limits>

namespace tune::worker {

namespace {

using Sizes = std::span<const std::int64_t>;

// Sizes that are symbols, ragged or sparse have no plain numbers.
bool has_plain_sizes(const at::Tensor& tensor) {
  return tensor.defined() && tensor.layout() == at::kStrided && !tensor.is_nested() &&
         !tensor.unsafeGetTensorImpl()->has_symbolic_sizes_strides() &&
         tensor.dim() <= std::numeric_limits<std::uint8_t>::max();
}

TensorShape shape_of(const at::Tensor& tensor) {
  TensorShape shape;
  if (has_plain_sizes(tensor)) {
    const at::IntArrayRef sizes = tensor.sizes(), strides = tensor.strides();
    shape.dtype = static_cast<std::int8_t>(tensor.scalar_type());
    shape.sizes = Sizes(sizes.data(), sizes.size());
    shape.strides = Sizes(strides.data(), strides.size());
  }
  return shape;
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
      bytes.put_shape(shape_of(tensor.toTensor()));
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
    if (const at::Tensor& tensor = value.toTensor(); has_plain_sizes(tensor)) {
      bytes.add(shape_of(tensor));
    } else {
      bytes.add_nothing();
    }
  } else if (value.isInt()) {
    bytes.add(value.toInt());
  } else if (value.isDouble()) {
    bytes.add(value.toDouble());
  } else if (value.isBool()) {
    bytes.add(value.toBool());
  } else {
    capture_list(value, bytes);
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
