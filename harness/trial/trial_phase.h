#pragma once

#include <array>
#include <string_view>

namespace tune::trial {

/// The phases of a trial in their order. When one begins the worker writes "<phase> <monotonic
/// ns>\n" to file descriptor kPhaseDescriptor, which is also the clock from outside.
///
///   setup        spec read; model and loader are built
///   first-batch  the first batch has been handed to the model
///   warmup       steps that do not count
///   measure      slices; begins right before the first slice, and its end is the begin of `write`
///   write        the reply is written and synced
///   done         the reply is safe; what dies from here on is a completed trial
constexpr std::array<std::string_view, 6> kPhases = {
    "setup", "first-batch", "warmup", "measure", "write", "done"};

constexpr int kPhaseDescriptor = 3;

}  // namespace tune::trial
