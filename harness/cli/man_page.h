#pragma once

#include "cli/command_tree.h"

#include <string>

namespace tune::cli {

/// "tune", "tune-rules-show": a page's name, and with ".1" its file's.
std::string page_name(const CommandNode& node);

/// The manual page of a command (section 1) for man(7) and groff. Equal for equal programs: it
/// carries the version, no date.
std::string man_page(const CommandNode& node, const CommandNode& root);

}  // namespace tune::cli
