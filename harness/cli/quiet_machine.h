#pragma once

#include <atomic>
#include <functional>
#include <string>

namespace tune::cli {

/// Waits until other programs have left the CPUs of this process alone for two seconds, at most
/// half an hour; at once where the kernel does not tell. `tell` hears what it waits for; `stop`,
/// once it is not 0, ends it.
void wait_for_quiet(const std::function<void(const std::string&)>& tell,
                    const std::atomic<int>& stop);

}  // namespace tune::cli
