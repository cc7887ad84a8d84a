#pragma once

#include <string>
#include <vector>

namespace tune::runner {

/// The user's environment as "NAME=value", for programs that are no workers: without the variables
/// `dropped` (names), and with `added` ("NAME=value") in place of those of the same names.
std::vector<std::string> user_environment(const std::vector<std::string>& dropped,
                                          const std::vector<std::string>& added);

}  // namespace tune::runner
