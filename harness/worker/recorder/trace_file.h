#pragma once

#include "trial/profile.h"
#include "worker/recorder/device_side.h"
#include "worker/recorder/recording.h"
#include "worker/recorder/trace_rows.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace tune::worker {

/// What a trace contains besides its rows.
struct TraceFacts {
  trial::Profile profile;
  std::int64_t process = 0;
  std::int64_t origin_ns = 0;          ///< CLOCK_MONOTONIC at ts 0; no row begins earlier
  std::int64_t origin_unix_ns = 0;     ///< the same moment as unix time
  std::int64_t end_ns = 0;             ///< of the last window
  std::vector<std::string> dtypes;     ///< names of tensors' types, by LibTorch's number
  const DeviceSide* device = nullptr;  ///< the work of a GPU; null: unknown
};

struct TraceFileSize {
  std::int64_t json_bytes = 0, file_bytes = 0;
};

/// Writes the rows as Kineto does (Chrome's JSON, gzip): categories, names and arguments are
/// Kineto's, ts and dur are us with three decimals, counted from origin_ns. Ranges are
/// user_annotation; those of modules are called "nn.Module: <path>", and operators in them name the
/// path as "Module Hierarchy". Throws tune::Error when the file cannot be written; no file is left
/// then.
TraceFileSize write_trace_file(const std::filesystem::path& path,
                               const Recording& recording,
                               const TraceRows& rows,
                               const TraceFacts& facts);

}  // namespace tune::worker
