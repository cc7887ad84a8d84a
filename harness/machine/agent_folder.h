#pragma once

#include <filesystem>

namespace tune::machine {

/// The folder of the Python programs that belong to tune: the agent of scripts (tune_agent) and
/// what writes changes into them (tune_change). Beside the running program in a build tree, in
/// share/tune of an installed one. Throws tune::Error when it is not there.
std::filesystem::path agent_folder();

}  // namespace tune::machine
