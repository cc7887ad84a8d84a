#pragma once

#include "trial/trial_spec.h"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace tune::campaign {

/// The files of a data set that is small enough to be read again in a moment. None where the data
/// are no files, are not there, or are more than 1 GiB (ours): to drop those from memory would cost
/// later trials more than a cold rate is worth.
std::vector<std::filesystem::path> small_data_files(const trial::Data& data);

/// Asks the kernel to forget what it holds of them; needs no rights beyond reading. Pages that
/// somebody has mapped stay, and so does what lies in memory anyway (tmpfs): a worker says in its
/// reply what it found.
void drop_from_memory(const std::vector<std::filesystem::path>& files);

/// Reads them through, so that the page cache holds them as before.
void read_into_memory(const std::vector<std::filesystem::path>& files);

}  // namespace tune::campaign
