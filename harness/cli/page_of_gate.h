#pragma once

#include <filesystem>
#include <string>

namespace tune::cli {

/// report.html of a gate, made of its result.json, with the gates before it where the history that
/// its directory keeps has some (history.json next to that file). Throws tune::Error when the file
/// cannot be read or is not the result of a gate.
std::string page_of_gate(const std::filesystem::path& result_file);

}  // namespace tune::cli
