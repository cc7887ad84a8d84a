#pragma once

#include "machine/probe/probe_record.h"

#include <filesystem>
#include <vector>

namespace tune::probe {

/// disk_read_rate without the page cache (O_DIRECT): one reader, sequential blocks of 1 MiB and
/// random blocks of 128 KiB. Makes a file in `folder` (256 MiB, 16 when quick) and removes it.
std::vector<Number> disk_speed(const std::filesystem::path& folder, const Effort& effort);

}  // namespace tune::probe
