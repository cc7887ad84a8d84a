#pragma once

#include "profile/timeline.h"

#include <filesystem>
#include <string>

namespace tune::cli {

/// Name of the trace as torch.profiler.tensorboard_trace_handler writes it, by which TensorBoard's
/// profiler plugin finds it: `<worker>.<ns>.pt.trace.json`, with .gz when it is packed so. A file
/// that is called so already keeps its name; else the worker is the file's name without its
/// endings, and ns is when the trace begins, or 0 where it does not say.
std::string tensorboard_name(const profile::Timeline& timeline);

/// Puts a copy of the trace into the folder, which is made where it is missing; zstd is unpacked,
/// because the plugin knows gzip and plain text only. Returns the path. Throws tune::Error, also
/// where a file of that name exists.
std::filesystem::path copy_for_tensorboard(const profile::Timeline& timeline,
                                           const std::filesystem::path& directory);

}  // namespace tune::cli
