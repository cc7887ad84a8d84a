#pragma once

#include "scenario/complaints.h"

#include <string>

namespace tune::scenario {

/// The text without byte order mark. Complains and throws when it is larger than 1 MiB, no UTF-8,
/// or holds control characters: yaml-cpp takes some of them for the end of the file.
std::string check_bytes(const std::string& text, Complaints& complaints);

}  // namespace tune::scenario
