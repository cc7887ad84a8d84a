#pragma once

#include "cli/command_tree.h"

#include <string>

namespace tune::cli {

// Scripts that complete commands, flags and their values, made of the parser's own tree. They ask
// tune nothing while they complete: a key press must not start a build.

std::string bash_completion(const CommandNode& root);
std::string zsh_completion(const CommandNode& root);
std::string fish_completion(const CommandNode& root);

}  // namespace tune::cli
