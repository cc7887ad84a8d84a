#pragma once

#include "gate/gate_result.h"

#include <cstddef>
#include <string>

namespace tune::report {

/// A comment on a change: at most 60 kB, begins with a marker by which a robot finds its own
/// comment and replaces it.
inline constexpr std::size_t kCommentLimitBytes = 60'000;

std::string to_gate_markdown(const gate::GateResult& result);

}  // namespace tune::report
