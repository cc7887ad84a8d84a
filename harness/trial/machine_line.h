#pragma once

#include <string_view>

namespace tune::trial {

/// How a worker ends that the machine, not the trial, kept from writing what it found (a full
/// disk): with this exit code, and on stderr, behind these words, what could not be had.
constexpr int kMachineExitCode = 75;
constexpr std::string_view kMachineLine = "tune-worker: stopped by the machine: ";

}  // namespace tune::trial
