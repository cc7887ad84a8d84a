#pragma once

#include "base/error.h"

#include <string>
#include <vector>

namespace tune::cli {

/// Writes the whole history (of one scenario where one is named) as lines of JSON to a file, or to
/// standard output for "" and "-".
ExitCode export_history(const std::string& scenario, const std::string& output);

/// Adds runs from run directories, from folders of them, and from files of export_history(); those
/// that are there are brought up to date. What cannot be read is told and left out; exit code 6
/// then. Throws tune::Error when a place is not there or none of them could be read.
ExitCode import_history(const std::vector<std::string>& places);

}  // namespace tune::cli
