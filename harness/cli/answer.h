#pragma once

#include "campaign/campaign_result.h"
#include "cli/terminal.h"

#include <filesystem>
#include <string>

namespace tune::cli {

/// What `tune run` prints at its end: the ranked table in as many columns as fit, what was left out
/// and why, the verdict, and last of all the next command.
std::string answer(const campaign::CampaignResult& result, const Terminal& terminal);

/// The summary of result.json with the run's directory, as one JSON document.
std::string answer_json(const campaign::CampaignResult& result);

/// The path as it is shown: relative where that is shorter.
std::string short_path(const std::filesystem::path& path);

/// The path as one can type it here: relative where that is shorter, quoted where it must be.
std::string quoted(const std::filesystem::path& path);
std::string quoted(const std::string& path);  ///< else std::quoted() would be taken for a string

/// "tune run --resume tune-runs/x": how to go on with a run, as one can type it here.
std::string resume_command(const std::filesystem::path& directory);

}  // namespace tune::cli
