#pragma once

#include <filesystem>

namespace tune::machine {

/// The folder of the Python programs that belong to tune: the agent in scripts (tune_agent) and the
/// editor of scripts (tune_change). Next to the running program in a build tree, in share/tune of
/// an installed one. Throws tune::Error when it is missing.
std::filesystem::path agent_folder();

}  // namespace tune::machine
