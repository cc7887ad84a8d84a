#pragma once

#include "history/store.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tune::cli {

/// The history of this user for reading, with its notes told on standard error; nothing where no
/// run has ended yet. Throws tune::Error.
std::optional<history::Store> readable_history();

/// The same for writing; made where there is none.
history::Store writable_history();

/// Says on standard error that no run is in the history yet.
void tell_empty_history();

/// The number of a run: "41", or "#41". Throws tune::Error naming `where`.
std::int64_t parse_run_number(const std::string& where, const std::string& text);

}  // namespace tune::cli
