#pragma once

#include "base/error.h"

#include <string>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace tune::cli {

struct Invocation;

/// The flags that stand anywhere in a command: -C, -q, -v, --color, --no-color,
/// --progress.
class GlobalFlags {
 public:
  /// This and the invocation outlive the parsing.
  void add_to(CLI::App& app, Invocation& invocation);

  /// After parsing, because what is wrong may be in the environment too: settles colours and
  /// progress (flag, else TUNE_COLOR and TUNE_PROGRESS), changes to the folder of -C, and says of
  /// what -v asks. Throws tune::Error.
  void settle(Invocation& invocation) const;

 private:
  std::string folder_, color_, progress_;
  bool no_color_ = false;
};

/// Throws tune::Error where a word of the command line is empty: it names nothing, and most often a
/// variable of a script is not set.
void refuse_empty_words(const CLI::App& app);

/// What is wrong with the command line, with the nearest command or flag as suggestion.
Error::Parts parse_complaint(const CLI::App& app, const CLI::ParseError& error);

}  // namespace tune::cli
