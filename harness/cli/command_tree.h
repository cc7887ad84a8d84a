#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace tune::cli {

/// What may be typed where a value stands.
enum class ValueKind { other, file, folder, run, words };

/// A flag or an argument, as the parser has it.
struct CommandWord {
  std::vector<std::string> names;  ///< "-o", "--output"; of an argument its name: "FILE"
  std::string help;
  std::string value;  ///< "DIR", "{auto,never}"; "" for a flag that takes none
  ValueKind kind = ValueKind::other;
  std::vector<std::string> choices;  ///< of ValueKind::words
  bool takes_value = false, is_required = false, repeats = false;
};

/// A command with everything below it.
struct CommandNode {
  std::string name;     ///< "show"; of the root "tune"
  std::string path;     ///< "rules show"; of the root ""
  std::string summary;  ///< a few words
  std::string what;     ///< all that its help says
  std::vector<std::string> examples;
  std::vector<CommandWord> flags;      ///< of its own; those of the root stand anywhere
  std::vector<CommandWord> arguments;  ///< in order
  std::vector<CommandNode> commands;
};

/// Walks the parser: what completion and man pages are made of, so that they cannot differ from it.
/// Summaries are those of `help_text` ("  run FILE   measure ..."), else the first sentence. `ids`
/// are what an argument called ID may be.
CommandNode command_tree(const CLI::App& app,
                         std::string_view help_text,
                         const std::vector<std::string>& ids);

/// The node and all below it, each before what is below it.
std::vector<const CommandNode*> all_commands(const CommandNode& root);

/// The tree of this program: with the words of `tune --help`, and the shipped rules where an
/// argument is called ID.
CommandNode parser_tree(const CLI::App& app);

}  // namespace tune::cli
