#pragma once

#include "trace/reader/byte_source.h"
#include "trace/reader/timeline_builder.h"
#include "trace/timeline.h"

#include <filesystem>
#include <memory>

namespace tune::profile {

/// Reads the trace of any PyTorch profiler: Kineto's of any age, torch.autograd's, or what another
/// program made of one; plain, gzip or zstd. One pass, in bounded memory: the JSON is never held.
///
/// Throws tune::Error, with the byte, when the file cannot be read, is not JSON, has no row of a
/// PyTorch profiler, or changes meanwhile. A text that ends too early is read up to its last whole
/// row, and the timeline's notes say so.
Timeline read_trace(const std::filesystem::path& path, const ReadOptions& options = {});

/// The same from bytes that are decompressed already; complaints use `name`, which also gives the
/// rank when nothing else does.
Timeline read_trace(std::unique_ptr<ByteSource> text,
                    const std::string& name,
                    const ReadOptions& options = {});

}  // namespace tune::profile
