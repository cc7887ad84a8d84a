#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace tune::bench {

using Ns = std::int64_t;

constexpr Ns kUs = 1000;

/// Microseconds with three decimals, as Kineto prints ns.
struct Us {
  explicit Us(Ns ns) {
    std::snprintf(text.data(),
                  text.size(),
                  "%lld.%03d",
                  static_cast<long long>(ns / kUs),
                  static_cast<int>(ns % kUs));
  }
  const char* operator()() const { return text.data(); }
  std::array<char, 32> text{};
};

/// The rows of one step, sorted by start.
class StepText {
 public:
  template <class... Values>
  void add(Ns start_ns, const char* format, Values... values) {
    std::array<char, 2048> line{};
    const int size = std::snprintf(line.data(), line.size(), format, values...);
    rows_.push_back({start_ns, text_.size(), static_cast<std::size_t>(size)});
    text_.append(line.data(), static_cast<std::size_t>(size));
  }

  /// For equal starts, rows added later come first: a parent ends last.
  std::string take() {
    std::reverse(rows_.begin(), rows_.end());
    std::stable_sort(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) {
      return a.start_ns < b.start_ns;
    });
    std::string ordered;
    ordered.reserve(text_.size() + 2 * rows_.size());
    for (const Row& row : rows_) {
      ordered.append(text_, row.at, row.size).append(",\n");
    }
    rows_.clear();
    text_.clear();
    return ordered;
  }

 private:
  struct Row {
    Ns start_ns = 0;
    std::size_t at = 0, size = 0;
  };
  std::string text_;
  std::vector<Row> rows_;
};

}  // namespace tune::bench
