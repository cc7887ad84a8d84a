#pragma once

#include "dataset/data_set.h"
#include "dataset/manifest.h"

#include <filesystem>

namespace tune::dataset {

/// Writes every image of the set below `folder` (which exists) on `threads` threads, and returns
/// the manifest. Stops all threads and rethrows when a file cannot be written or `on_progress`
/// throws.
Manifest make_files(const GeneratedSpec& spec,
                    const std::filesystem::path& folder,
                    const OnProgress& on_progress,
                    int threads);

}  // namespace tune::dataset
