#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

namespace tune::worker {

/// The inputs of one call as bytes, in the operator's order. Written while the call waits, so
/// nothing is converted to text here.
enum class InputKind : std::uint8_t {
  nothing,  ///< none, a text, a device, a tensor without sizes
  tensor,
  tensor_list,
  whole,
  real,
  flag,
  whole_list,
  real_list,
  flag_list,
};

/// Sizes and strides of a tensor, both of the same length; type is LibTorch's number.
struct TensorShape {
  std::int8_t dtype = 0;
  std::span<const std::int64_t> sizes, strides;
};

/// Puts inputs into a buffer, one after the other. Inputs that do not fit are noticed, not written.
class InputBytes {
 public:
  explicit InputBytes(std::span<std::uint8_t> buffer) : buffer_(buffer) {}

  void add_nothing() { put(InputKind::nothing); }
  void add(const TensorShape& shape) {
    put(InputKind::tensor);
    put_shape(shape);
  }
  void add(std::int64_t value) { put(InputKind::whole, value); }
  void add(double value) { put(InputKind::real, value); }
  void add(bool value) { put(InputKind::flag, static_cast<std::uint8_t>(value)); }
  void begin_list(InputKind kind, std::size_t count) {
    put(kind, static_cast<std::uint32_t>(count));
  }
  /// The entries of a list that was started.
  void put_shape(const TensorShape& shape) {
    if (has_room(2 + shape.sizes.size_bytes() + shape.strides.size_bytes())) {
      write(shape.dtype);
      write(static_cast<std::uint8_t>(shape.sizes.size()));
      write_all(shape.sizes);
      write_all(shape.strides);
    }
  }
  void put_number(std::int64_t value) { put(value); }
  void put_number(double value) { put(value); }
  void put_number(bool value) { put(static_cast<std::uint8_t>(value)); }

  /// The bytes written; 0 when they did not fit.
  std::size_t size() const { return is_full_ ? 0 : used_; }

 private:
  template <class... Values>
  void put(Values... values) {
    if (has_room((sizeof(values) + ...))) {
      (write(values), ...);
    }
  }
  bool has_room(std::size_t count) {
    is_full_ = is_full_ || count > buffer_.size() - used_;
    return !is_full_;
  }
  template <class Value>
  void write(Value value) {
    std::memcpy(buffer_.data() + used_, &value, sizeof(value));
    used_ += sizeof(value);
  }
  // One by one: they are few, and a call of memcpy costs more.
  void write_all(std::span<const std::int64_t> values) {
    for (const std::int64_t value : values) {
      write(value);
    }
  }

  std::span<std::uint8_t> buffer_;
  std::size_t used_ = 0;
  bool is_full_ = false;
};

/// As torch.profiler writes them: the texts of JSON lists with one entry per input.
struct InputTexts {
  std::string dims, strides, types, concrete;
};

/// `dtypes` are the names of tensors' types, by LibTorch's number.
InputTexts input_texts(std::span<const std::uint8_t> bytes, const std::vector<std::string>& dtypes);

}  // namespace tune::worker
