#pragma once

#include "table/table.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace tune::table {

/// Durations of the rows of one kind, ns.
struct TimeSums {
  std::int64_t count = 0;
  std::int64_t total_ns = 0;
  std::int64_t least_ns = std::numeric_limits<std::int64_t>::max(), most_ns = 0;

  void add(std::int64_t ns) {
    ++count;
    total_ns += ns;
    least_ns = std::min(least_ns, ns);
    most_ns = std::max(most_ns, ns);
  }
  std::int64_t mean_ns() const { return count == 0 ? 0 : total_ns / count; }
};

/// part ÷ whole; nothing of nothing is not known.
inline Cell share(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? Cell() : Cell(static_cast<double>(part) / static_cast<double>(whole));
}

}  // namespace tune::table
