#pragma once

#include "cli/commands.h"

namespace tune::cli {

/// `tune rules quality`: how well predictions came true, over run directories.
void add_quality(CLI::App& rules, Invocation& invocation);

}  // namespace tune::cli
