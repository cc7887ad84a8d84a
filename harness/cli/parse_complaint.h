#pragma once

#include "base/error.h"

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace tune::cli {

/// What is wrong with the command line, with the nearest command or flag as suggestion.
Error::Parts parse_complaint(const CLI::App& app, const CLI::ParseError& error);

}  // namespace tune::cli
