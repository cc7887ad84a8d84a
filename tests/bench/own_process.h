#pragma once

#include <string>

namespace tune::bench {

/// Runs this program again with `arguments`, which a shell parses, and returns the first number
/// that it prints. If it prints none, ends this process with exit code 1 and the reason.
double number_of_own_process(const std::string& arguments);

}  // namespace tune::bench
