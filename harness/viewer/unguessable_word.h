#pragma once

#include <string>

namespace tune::viewer {

/// 128 bits from the system, in hexadecimal digits: who does not know the address that holds it
/// does not find what is served, though everybody who is logged in here may connect.
std::string unguessable_word();

}  // namespace tune::viewer
