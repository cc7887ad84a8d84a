#pragma once

#include "profile/reader/timeline_builder.h"
#include "profile/timeline.h"
#include "scenario/scenario.h"

#include <filesystem>
#include <string>

namespace tune::cli {

// "-" where a file is expected is standard input; a file of that name is "./-".

bool is_standard_input(const std::filesystem::path& word);

/// The text of the scenario that the word names. Standard input is unpacked where it is gzip or
/// zstd, and read once: later calls get the same text. Throws tune::Error when it cannot be read.
std::string scenario_text(const std::string& word);

/// The scenario that the word names. Paths in that of standard input are relative to the current
/// folder, and its name is free. Throws tune::Error.
scenario::Scenario read_named_scenario(const std::string& word);

/// The trace that the word names (profile/reader/read_trace.h): that of standard input is called
/// "standard input". Throws tune::Error.
profile::Timeline read_named_trace(const std::filesystem::path& word,
                                   const profile::ReadOptions& options);

}  // namespace tune::cli
