#pragma once

#include "base/error.h"

#include <string>

namespace tune::cli {

/// What --port says: 1 to 65535, or 0 for any that is free, which no flag ("") means as well.
/// Throws tune::Error.
int port_of(const std::string& flag);

/// Says on standard error that nothing can listen there, and returns "not available".
ExitCode refuse_port(int port, const std::string& why);

}  // namespace tune::cli
