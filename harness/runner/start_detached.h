#pragma once

#include <string>

namespace tune::runner {

/// Starts `program argument`, found in PATH, in a session of its own that no signal of ours
/// reaches, without input and output, and does not wait for it. Why it could not be started; ""
/// when it was.
std::string start_detached(const std::string& program, const std::string& argument);

}  // namespace tune::runner
