#pragma once

#include "measure/campaign/campaign_result.h"
#include "trial/trial_spec.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tune::campaign {

/// The files of a data set that is small enough to be read again in a moment. None where the data
/// are no files, are not there, or are more than 1 GiB (ours): to drop those from memory would cost
/// later trials more than a cold rate is worth.
std::vector<std::filesystem::path> small_data_files(const trial::Data& data);

/// Asks the kernel to drop their pages; needs no rights beyond reading. Pages that somebody has
/// mapped stay, and so do files that exist only in memory (tmpfs): a worker says in its reply what
/// it found.
void drop_from_memory(const std::vector<std::filesystem::path>& files);

/// Reads them through, so that the page cache holds them as before.
void read_into_memory(const std::vector<std::filesystem::path>& files);

/// Share of the data files' bytes that trials found in the page cache when they began: the median.
/// Nothing where the data are no files or the kernel does not tell.
std::optional<double> usual_residency(const std::vector<TrialRecord>& trials);

/// Whether a trial began with a colder page cache than the others of its run, so that its rate
/// includes more reading from the disk than theirs: 25 points less than usual (our own cut). A
/// share below 1 alone says little: a trial reads a part of the files, always the same ones, and a
/// kernel that is short of memory drops the others.
bool began_cold(const TrialRecord& record, std::optional<double> usual);

/// What the reader must know: a cold trial does not compare with the warm ones after it. "the page
/// cache was colder than usual in 1 of 24 trials (the first: r1-c01, 12.0 % of the files' bytes in
/// it, usually 99.5 %) ..."; or that less than half of the bytes were there in most trials; else
/// "".
std::string cold_cache_text(const std::vector<TrialRecord>& trials);

}  // namespace tune::campaign
