#pragma once

#include "cli/commands.h"

namespace tune::cli {

/// `tune trace open`: shows a trace in Perfetto.
void add_trace_open(CLI::App& trace, Invocation& invocation);

}  // namespace tune::cli
