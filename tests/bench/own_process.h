#pragma once

#include <string>

namespace tune::bench {

/// Runs this program again with `arguments`, which a shell reads, and returns the number that it
/// prints first. Ends this process with exit code 1, saying why, when it prints none.
double number_of_own_process(const std::string& arguments);

}  // namespace tune::bench
