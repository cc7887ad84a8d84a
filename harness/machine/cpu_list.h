#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tune::machine {

/// "0-1,4" -> {0, 1, 4}, sorted, each once. Nothing when it is not a CPU list or names a CPU above
/// 8191.
std::optional<std::vector<int>> parse_cpu_list(std::string_view text);

/// {0, 1, 4} -> "0-1,4".
std::string format_cpu_list(const std::vector<int>& cpus);

/// The CPUs that the calling thread may run on, or the first thread of another process, in ascending
/// order. Empty where nothing is known of that process.
std::vector<int> allowed_cpus(int process = 0);

}  // namespace tune::machine
