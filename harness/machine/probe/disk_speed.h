#pragma once

#include "machine/probe/probe_record.h"

#include <filesystem>
#include <vector>

namespace tune::probe {

/// disk_read_rate past the page cache (O_DIRECT): one reader, blocks of 1 MiB in a row, and blocks
/// of 128 KiB anywhere. Makes a file in `folder` (256 MiB, 16 when quick) and removes it.
std::vector<Number> disk_speed(const std::filesystem::path& folder, const Effort& effort);

}  // namespace tune::probe
