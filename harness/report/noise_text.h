#pragma once

#include "result/result.h"

#include <string>

namespace tune::report {

// What equal processes of the scenario showed on this machine, or that `tune calibrate` would tell.

/// Why the noise is not known where nobody asked for it.
inline constexpr const char* kNoiseNotAsked = "not asked for";

/// How often gates on equal sides called one of them worse, and how far two equal processes lie
/// apart; sentences.
std::string equal_sides_text(const result::Result& result);

/// "smallest detectable effect: 2.5 %, ...": one line.
std::string detectable_line(const result::Result& result);

}  // namespace tune::report
