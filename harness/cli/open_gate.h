#pragma once

#include "cli/gate_request.h"
#include "gate/gate_result.h"
#include "scenario/scenario.h"

#include <filesystem>
#include <functional>
#include <string>

namespace tune::cli {

/// Scenario, sides without data, policy and looks, as file and flags say; nothing is prepared or
/// made. Throws tune::Error.
gate::GateResult read_gate_request(const GateRequest& request);

/// Prepares the data of both sides, reads the machine, draws the seed where none is given.
void prepare_gate(gate::GateResult& result,
                  const GateRequest& request,
                  const std::filesystem::path& worker,
                  const std::function<void(const std::string&)>& show);

}  // namespace tune::cli
