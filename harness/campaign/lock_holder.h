#pragma once

#include <filesystem>
#include <string>

namespace tune::campaign {

/// The first line of a lock's file, which says who holds it: "another process" where it says
/// nothing.
std::string read_holder(const std::filesystem::path& file);

/// Replaces that line by way of the descriptor of who holds the lock. False when it cannot.
bool note_holder(int descriptor, const std::string& holder);

}  // namespace tune::campaign
