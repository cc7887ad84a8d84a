#pragma once

#include <vector>

namespace tune::machine {

/// Direct children of this process, zombies included, sorted; empty when the kernel does not tell.
std::vector<int> child_processes();

}  // namespace tune::machine
