#pragma once

#include "script.h"

#include <filesystem>
#include <string>

namespace tune::fake {

/// Does what goes wrong at the start of a phase; may not return.
void misbehave(const Behaviour& behaviour);

/// Ends like a worker that finds no room for this file.
[[noreturn]] void tell_no_room(const std::filesystem::path& file);

/// Spoils the text of a reply as `how` says.
std::string garbled(const std::string& reply, const std::string& how);

}  // namespace tune::fake
