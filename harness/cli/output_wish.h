#pragma once

#include "report/format/stored_result.h"

#include <filesystem>
#include <string>

namespace CLI {
class App;
}

namespace tune::cli {

/// What a command that measures writes beside its reports, for other programs.
struct OutputWish {
  std::string formats;                    ///< --format: "sarif,csv", or ""
  std::string annotate = "auto";          ///< auto | github | none
  std::string junit, sarif, openmetrics;  ///< files of --junit, --sarif, --openmetrics, or ""
};

/// --format and --annotate.
void add_output_flags(CLI::App& command, OutputWish& wish);

/// --junit, --sarif and --openmetrics: the same formats to files of the user's choice.
void add_output_files(CLI::App& command, OutputWish& wish);

/// Throws tune::Error for a format that does not exist and for a file whose folder does not: before
/// anything is measured.
void check_wish(const OutputWish& wish);

/// Writes the formats into the run directory and to the files that were named, and tells GitHub
/// Actions of what is worth seeing at the scenario's lines: on standard error, which it reads as
/// well. What cannot be written is told there too: no verdict hangs on it.
void write_wished(const OutputWish& wish,
                  const report::StoredResult& result,
                  const std::filesystem::path& directory);

}  // namespace tune::cli
