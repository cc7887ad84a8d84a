#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace tune::cli {

/// Appends a page to the file that $GITHUB_STEP_SUMMARY names, which continuous integration shows
/// with the change; nothing where it names none. `page` gets the bytes that are left: GitHub shows
/// nothing of a file above 1 MiB, and other commands of the step have written to it too. What
/// cannot be written is told on standard error: it fails no command.
void append_step_summary(const std::function<std::string(std::size_t room_bytes)>& page);

}  // namespace tune::cli
