#pragma once

#include "cli/command_tree.h"

namespace tune::cli {

/// The tree of this program: with the words of `tune --help`, and the shipped rules where an
/// argument is called ID.
CommandNode parser_tree(const CLI::App& app);

}  // namespace tune::cli
