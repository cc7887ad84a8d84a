#pragma once

#include <string_view>

namespace tune::trial {

/// How the line begins that a worker prints to stderr when its loader has delivered nothing for
/// long: "no batch for 10s; the loader is reading /data/a.jpg (10s)". A trial that times out quotes
/// the last one.
constexpr std::string_view kStuckLine = "no batch for ";

}  // namespace tune::trial
