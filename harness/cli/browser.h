#pragma once

#include <string>

namespace tune::cli {

/// Opens an address, or a file, in the user's browser and does not wait for it. Why it could not,
/// such as "no display"; "" when it could.
std::string open_in_browser(const std::string& address);

}  // namespace tune::cli
