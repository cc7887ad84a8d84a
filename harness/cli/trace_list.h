#pragma once

#include "cli/commands.h"

namespace tune::cli {

/// `tune trace list`: the traces that the trials of a run recorded.
void add_trace_list(CLI::App& trace, Invocation& invocation);

}  // namespace tune::cli
