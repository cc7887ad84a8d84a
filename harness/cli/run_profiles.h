#pragma once

#include "measure/campaign/campaign_result.h"

#include <filesystem>
#include <string>

namespace tune::cli {

/// Whether the path is a run directory of `tune run`.
bool is_run_directory(const std::filesystem::path& path);

/// The trace of a run's cell, the one that its report shows: of several trials one that recording
/// did not stretch too much, of the confirmation before others, the newest. Throws tune::Error,
/// with the cells that have one, when there is none.
std::filesystem::path recorded_trace(const std::filesystem::path& run, const std::string& cell);

/// Reads the traces of a run's recorded cells and adds what they say. A trace that is missing or
/// damaged is named with its reason; the run is read without it.
void read_profiles(campaign::CampaignResult& result);

}  // namespace tune::cli
