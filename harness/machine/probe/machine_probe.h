#pragma once

#include "machine/probe/probe_record.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace tune::probe {

/// Every limit that can be measured without LibTorch: memory, page faults, decoding, disk. `show`
/// gets the name of each part as it begins.
std::vector<Number> probe_machine(const std::filesystem::path& disk_folder,
                                  const Effort& effort,
                                  const std::function<void(const std::string&)>& show);

/// What a worker measures, as rows of the table for when no worker does.
std::vector<Number> worker_numbers_missing(const std::string& reason);

}  // namespace tune::probe
