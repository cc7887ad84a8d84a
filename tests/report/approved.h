#pragma once

#include <string>

namespace tune::report {

/// Fails unless the file (relative to the source tree) holds exactly this text, naming the first
/// line that differs. TUNE_APPROVE=1 in the environment rewrites the file instead.
void expect_approved(const std::string& file, const std::string& text);

}  // namespace tune::report
