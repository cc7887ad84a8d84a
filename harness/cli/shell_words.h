#pragma once

#include "cli/command_tree.h"

#include <string>
#include <string_view>
#include <vector>

namespace tune::cli {

/// In single quotes, as bash and zsh read them.
std::string quoted_for_sh(const std::string& text);

/// One word, as bash and zsh read it: quoted where it must be, and one line whatever it is made of.
std::string word_of_sh(const std::string& text);

/// In single quotes, as fish reads them.
std::string quoted_for_fish(const std::string& text);

/// "file", "dir", "run", "any", "words:a,b": what the scripts offer for a value; with + where it
/// repeats.
std::string offer_of(const CommandWord& word);

/// Every name of the flags, of its own and then of the root; `with_value`: only of those that take
/// one.
enum class Which { all, with_value };
std::vector<std::string> flag_names(const CommandNode& node, const CommandNode& root, Which which);

/// What each flag takes that takes something, as cases of bash and zsh over "path|flag": of the
/// root's flags "*|flag", behind all others.
std::string value_cases(const CommandNode& root);

/// At most so many bytes of the first line, cut at a space: what a list shows next to a word.
std::string short_help(const std::string& text);

/// The template with the line `# <marker>` replaced by `lines`.
std::string filled_in(std::string_view text, const std::string& marker, const std::string& lines);

}  // namespace tune::cli
