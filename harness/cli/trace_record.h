#pragma once

#include "cli/commands.h"

namespace CLI {
class App;
}

namespace tune::cli {

/// `tune trace FILE` and `tune trace -- COMMAND`: declares their flags on `trace` itself. Records
/// where neither of its subcommands is named.
void add_trace_record(CLI::App& trace, Invocation& invocation);

}  // namespace tune::cli
