#pragma once

#include "cli/gate_request.h"

namespace CLI {
class App;
}

namespace tune::cli {

/// The flags of `tune gate`; `request` outlives the command.
void add_gate_flags(CLI::App& command, GateRequest& request);

}  // namespace tune::cli
