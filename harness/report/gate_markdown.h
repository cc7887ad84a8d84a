#pragma once

#include "gate/gate_result.h"
#include "stats/verdict.h"

#include <cstddef>
#include <string>

namespace tune::report {

/// A comment on a change: at most 60 kB, begins with a marker by which a robot finds its own
/// comment and replaces it.
inline constexpr std::size_t kCommentLimitBytes = 60'000;

/// Above the limit, which is at least 2,000 bytes, details go first, then the end.
std::string to_gate_markdown(const gate::GateResult& result,
                             std::size_t limit_bytes = kCommentLimitBytes);

/// How the page of every gate of a scenario begins, whatever became of it: marker and title.
std::string gate_page_head(const std::string& scenario);

/// Worse is red, whatever the metric's direction; inconclusive never is.
const char* verdict_sign(stats::GateVerdict verdict);

}  // namespace tune::report
