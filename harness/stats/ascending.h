#pragma once

#include <cstddef>
#include <vector>

namespace tune::stats {

/// The places of the values, from the smallest value to the largest; equal values keep their order.
std::vector<std::size_t> ascending(const std::vector<double>& values);

}  // namespace tune::stats
