#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace tune::cli {

/// Appends a page to a file that continuous integration shows with the change: `wish` is that file,
/// or "none", or "auto", the one that $GITHUB_STEP_SUMMARY names, if it names one. `page` gets the
/// bytes that are left: GitHub shows nothing of a file above 1 MiB, and other commands of the step
/// have written to it too. What cannot be written is told on standard error: it fails no command.
void append_step_summary(const std::string& wish,
                         const std::function<std::string(std::size_t room_bytes)>& page);

}  // namespace tune::cli
