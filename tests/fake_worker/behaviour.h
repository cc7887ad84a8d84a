#pragma once

#include "script.h"

#include <string>

namespace tune::fake {

/// Does what goes wrong at the begin of a phase; may not return.
void misbehave(const Behaviour& behaviour);

/// Spoils the text of a reply as `how` says.
std::string garbled(const std::string& reply, const std::string& how);

}  // namespace tune::fake
