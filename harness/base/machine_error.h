#pragma once

#include "base/error.h"

#include <filesystem>

namespace tune {

/// What the machine could not give at this moment: room on a disk, a file that can be read, a
/// folder that nobody removes. Nothing is wrong with the input, and nothing was found out about
/// what was to be measured: it is tried again. Where it ends a command, its exit code is 75.
class MachineError : public Error {
 public:
  using Error::Error;
};

/// Whether an errno is such a condition: a full disk, a quota or a limit that is used up, a device
/// that fails, no descriptors, no memory.
bool is_of_machine(int reason);

/// Throws a MachineError where `reason`, an errno, is of the machine, else an Error.
[[noreturn]] void throw_failed_call(const std::filesystem::path& where,
                                    const char* problem,
                                    int reason);

}  // namespace tune
