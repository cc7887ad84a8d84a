#include "worker/recorder/input_bytes.h"

#include "worker/recorder/json_text.h"

#include <array>
#include <charconv>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tune::worker {

namespace {

// Reads what InputBytes has written; those bytes never left the process.
class Reading {
 public:
  explicit Reading(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  bool is_over() const { return at_ == bytes_.size(); }

  template <class Value>
  Value take() {
    Value value{};
    std::memcpy(&value, bytes_.data() + at_, sizeof(value));
    at_ += sizeof(value);
    return value;
  }

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

void append_number(std::string& text, std::int64_t value) {
  text += std::to_string(value);
}

// As Python writes it, with the fewest digits that are exact.
void append_number(std::string& text, double value) {
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  const std::string_view written(digits.data(), static_cast<std::size_t>(end - digits.data()));
  text += written;
  text += written.find_first_of(".en") == std::string_view::npos ? "." : "";
}

void append_number(std::string& text, bool value) {
  text += value ? "True" : "False";
}

class Texts {
 public:
  Texts(std::span<const std::uint8_t> bytes, const std::vector<std::string>& dtypes)
      : bytes_(bytes), dtypes_(dtypes) {}

  InputTexts read() {
    while (!bytes_.is_over()) {
      read_input();
    }
    for (std::string* text : {&texts_.dims, &texts_.strides, &texts_.types, &texts_.concrete}) {
      text->insert(0, "[");
      *text += "]";
    }
    return std::move(texts_);
  }

 private:
  void read_input() {
    const auto kind = bytes_.take<InputKind>();
    switch (kind) {
      case InputKind::nothing:
        return add("[]", "[]", "", "");
      case InputKind::tensor:
        return read_tensor();
      case InputKind::tensor_list:
        return read_tensor_list();
      case InputKind::whole:
        return read_scalar<std::int64_t>();
      case InputKind::real:
        return read_scalar<double>();
      case InputKind::flag:
        return read_scalar<bool>();
      case InputKind::whole_list:
        return read_list<std::int64_t>();
      case InputKind::real_list:
        return read_list<double>();
      case InputKind::flag_list:
        return read_list<bool>();
    }
  }

  void add(std::string_view dims,
           std::string_view strides,
           std::string_view type,
           std::string_view concrete) {
    const char* const comma = is_first_ ? "" : ",";
    is_first_ = false;
    for (std::string* text : {&texts_.dims, &texts_.strides, &texts_.types, &texts_.concrete}) {
      *text += comma;
    }
    texts_.dims += dims;
    texts_.strides += strides;
    append_json(texts_.types, type);
    append_json(texts_.concrete, concrete);
  }

  struct Shape {
    std::string_view dtype;
    std::string dims, strides;
  };

  std::string read_row(std::size_t count) {
    std::string text = "[";
    for (std::size_t i = 0; i < count; ++i) {
      text += i > 0 ? "," : "";
      append_number(text, bytes_.take<std::int64_t>());
    }
    text += "]";
    return text;
  }

  Shape read_shape() {
    Shape shape;
    const auto dtype = static_cast<std::size_t>(bytes_.take<std::uint8_t>());  // never below 0
    shape.dtype = dtype < dtypes_.size() ? std::string_view(dtypes_[dtype]) : "";
    const auto dims = static_cast<std::size_t>(bytes_.take<std::uint8_t>());
    shape.dims = read_row(dims);
    shape.strides = read_row(dims);
    return shape;
  }

  void read_tensor() {
    const Shape shape = read_shape();
    add(shape.dims, shape.strides, shape.dtype, "");
  }

  void read_tensor_list() {
    const auto count = bytes_.take<std::uint32_t>();
    std::string dims = "[", strides = "[";
    for (std::uint32_t i = 0; i < count; ++i) {
      const Shape shape = read_shape();
      dims += i > 0 ? "," : "";
      strides += i > 0 ? "," : "";
      dims += shape.dims;
      strides += shape.strides;
    }
    dims += "]";
    strides += "]";
    add(dims, strides, "TensorList", "");
  }

  template <class Value>
  void append_next(std::string& text) {
    if constexpr (std::is_same_v<Value, bool>) {
      append_number(text, bytes_.take<std::uint8_t>() != 0);
    } else {
      append_number(text, bytes_.take<Value>());
    }
  }

  template <class Value>
  void read_scalar() {
    std::string text;
    append_next<Value>(text);
    add("[]", "[]", "Scalar", text);
  }

  template <class Value>
  void read_list() {
    const auto count = bytes_.take<std::uint32_t>();
    std::string text = "[";
    for (std::uint32_t i = 0; i < count; ++i) {
      text += i > 0 ? ", " : "";
      append_next<Value>(text);
    }
    text += "]";
    add("[]", "[]", "ScalarList", text);
  }

  Reading bytes_;
  const std::vector<std::string>& dtypes_;
  InputTexts texts_;
  bool is_first_ = true;
};

}  // namespace

InputTexts input_texts(std::span<const std::uint8_t> bytes,
                       const std::vector<std::string>& dtypes) {
  return Texts(bytes, dtypes).read();
}

}  // namespace tune::worker
