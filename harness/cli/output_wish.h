#pragma once

#include "result/result.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>

namespace CLI {
class App;
}

namespace tune::cli {

/// Appends a page to a file that continuous integration shows with the change: `wish` is that file,
/// or "none", or "auto", the one that $GITHUB_STEP_SUMMARY names, if it names one. `page` gets the
/// bytes that are left: GitHub shows nothing of a file above 1 MiB, and other commands of the step
/// have written to it too. What cannot be written is said on standard error: it fails no command.
void append_step_summary(const std::string& wish,
                         const std::function<std::string(std::size_t room_bytes)>& page);

/// What a command that measures writes besides its reports, for other programs.
struct OutputWish {
  std::string formats;                    ///< --files: "sarif,csv", or ""
  std::string annotate = "auto";          ///< auto | github | gitlab | none
  std::string step_summary = "auto";      ///< auto | none | a file
  std::string junit, sarif, openmetrics;  ///< files of --junit, --sarif, --openmetrics, or ""
};

/// --files, --annotate and --step-summary.
void add_output_flags(CLI::App& command, OutputWish& wish);

/// --junit, --sarif and --openmetrics: the same formats to files of the user's choice.
void add_output_files(CLI::App& command, OutputWish& wish);

/// Throws tune::Error for a format that does not exist and for a file whose folder does not: before
/// anything is measured.
void check_wish(const OutputWish& wish);

/// Writes the formats into the run directory and to the files that were named, and tells of what is
/// worth seeing at the scenario's lines: GitHub Actions on standard error, which it reads as well,
/// GitLab by a file in the run directory. What cannot be written is said on standard error too: no
/// verdict depends on it.
void write_wished(const OutputWish& wish,
                  const result::Result& result,
                  const std::filesystem::path& directory);

}  // namespace tune::cli
