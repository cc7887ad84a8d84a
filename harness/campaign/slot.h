#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace tune::campaign {

/// One trial to be run.
struct Slot {
  std::string stage;          ///< "warmup", "diagnose", "ceiling", "search", "audit", "confirm",
                              ///< "ladder" or "epoch"
  std::int64_t round = 0;     ///< from 1
  std::int64_t position = 0;  ///< in the round's order, from 0
  std::size_t cell = 0;       ///< index into the plan
  std::int64_t slices = 0;
  std::int64_t attempt = 1;  ///< above 1: others disturbed the one before too much, or killed it
  bool operator==(const Slot&) const = default;
};

}  // namespace tune::campaign
