#pragma once

#include <filesystem>

namespace tune::worker {

/// Measures the limits of this machine that only LibTorch can show (matrix products by thread
/// count, cost of a small operator, copies to a GPU) and writes them to `file`
/// (machine/probe/probe_record.h). `is_quick`: in a second or two, but noisier. Must be called
/// first in main(), like load_cuda(). Returns the exit code.
int write_probe(const std::filesystem::path& file, bool is_quick);

}  // namespace tune::worker
