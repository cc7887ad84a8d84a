#pragma once

#include "base/error.h"

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace tune::cli {

/// Throws tune::Error where a word of the command line is empty: it names nothing, and most often a
/// variable of a script is not set.
void refuse_empty_words(const CLI::App& app);

/// What is wrong with the command line, with the nearest command or flag as suggestion.
Error::Parts parse_complaint(const CLI::App& app, const CLI::ParseError& error);

}  // namespace tune::cli
