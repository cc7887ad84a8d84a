#pragma once

#include <array>
#include <string_view>

namespace tune::trial {

/// The phases of a trial in their order. When one begins, the worker writes "<phase> <monotonic
/// ns>\n" to file descriptor kPhaseDescriptor, which the runner also uses as its clock.
///
///   setup        spec read; model and loader are built
///   first-batch  the first batch has been handed to the model
///   warmup       steps that do not count, then the sentinel on request
///   measure      slices; begins right before the first slice and ends when `write` begins
///   write        sentinel and counted step where they are asked for; then the reply is written,
///                synced and renamed into place in one step; what dies after that is a completed
///                trial, with or without `done`
///   profiled     only where it is asked for: steps are recorded, the trace is written, and a reply
///                with its outcome replaces the first one, which says that there is no trace
///   done         the reply is safe
constexpr std::array<std::string_view, 7> kPhases = {
    "setup", "first-batch", "warmup", "measure", "write", "profiled", "done"};

constexpr int kPhaseDescriptor = 3;

/// The end of a worker that the machine, not the trial, kept from writing its results (a full
/// disk): this exit code, and on stderr, after these words, what was not available.
constexpr int kMachineExitCode = 75;
constexpr std::string_view kMachineLine = "tune-worker: stopped by the machine: ";

/// The start of the line that a worker prints to stderr when its loader has delivered nothing for
/// long: "no batch for 10s; the loader is reading /data/a.jpg (10s)". A trial that times out quotes
/// the last one.
constexpr std::string_view kStuckLine = "no batch for ";

/// The same for a user's script that has made no step: "no step for 340s; the script is in
/// make_dataset (folder.py:91), which train.py:12 called". And for processes that train together,
/// of which one does not come: "no step for 10s; rank 1 is in step 12, rank 0 waits for it".
constexpr std::string_view kNoStepLine = "no step for ";

}  // namespace tune::trial
