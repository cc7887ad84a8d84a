#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

namespace tune::worker {

/// The inputs of one call as bytes, in the order in which an operator takes them. Written while the
/// call waits, so nothing is turned into text here.
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

/// Puts inputs into a buffer, one after the other. What does not fit is noticed, not written.
class InputBytes {
 public:
  explicit InputBytes(std::span<std::uint8_t> buffer) : buffer_(buffer) {}

  void add_nothing() { put(InputKind::nothing); }
  void add(const TensorShape& shape) {
    put(InputKind::tensor);
    put_shape(shape);
  }
  void add(std::int64_t value) {
    put(InputKind::whole);
    put(value);
  }
  void add(double value) {
    put(InputKind::real);
    put(value);
  }
  void add(bool value) {
    put(InputKind::flag);
    put(static_cast<std::uint8_t>(value));
  }
  void begin_list(InputKind kind, std::size_t count) {
    put(kind);
    put(static_cast<std::uint32_t>(count));
  }
  /// The entries of a list that has begun.
  void put_shape(const TensorShape& shape) {
    put(shape.dtype);
    put(static_cast<std::uint8_t>(shape.sizes.size()));
    put_all(shape.sizes);
    put_all(shape.strides);
  }
  void put_number(std::int64_t value) { put(value); }
  void put_number(double value) { put(value); }
  void put_number(bool value) { put(static_cast<std::uint8_t>(value)); }

  /// What was put; 0 when it did not fit.
  std::size_t size() const { return is_full_ ? 0 : used_; }

 private:
  template <class Value>
  void put(Value value) {
    put_raw(&value, sizeof(value));
  }
  void put_all(std::span<const std::int64_t> values) {
    put_raw(values.data(), values.size_bytes());
  }
  void put_raw(const void* bytes, std::size_t count) {
    if (is_full_ || count > buffer_.size() - used_) {
      is_full_ = true;
      return;
    }
    if (count > 0) {
      std::memcpy(buffer_.data() + used_, bytes, count);
      used_ += count;
    }
  }

  std::span<std::uint8_t> buffer_;
  std::size_t used_ = 0;
  bool is_full_ = false;
};

/// As torch.profiler writes them, each the text of a JSON list with one entry an input.
struct InputTexts {
  std::string dims, strides, types, concrete;
};

/// `dtypes` are the names of tensors' types, by LibTorch's number.
InputTexts input_texts(std::span<const std::uint8_t> bytes, const std::vector<std::string>& dtypes);

}  // namespace tune::worker
