#pragma once

#include <filesystem>

namespace tune::worker {

/// Measures the limits of this machine that only LibTorch can show (matrix products by thread
/// count, cost of a small operator) and writes them to `file` (probe/probe_record.h). `is_quick`:
/// in a second or two, noisier. Returns the exit code.
int write_probe(const std::filesystem::path& file, bool is_quick);

}  // namespace tune::worker
