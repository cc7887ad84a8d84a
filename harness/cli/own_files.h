#pragma once

#include "scenario/scenario.h"

#include <string>
#include <vector>

namespace tune::cli {

/// Looks at what the paths of a scenario name, the user's own model and data, before anything runs.
/// Gives what is not read of them, a sentence each. Throws tune::Error with everything that is not
/// there or cannot be used, each with its place in the scenario.
std::vector<std::string> look_at_own_files(const scenario::Scenario& scenario);

}  // namespace tune::cli
