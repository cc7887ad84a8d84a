#pragma once

#include "cli/terminal.h"
#include "measure/campaign/campaign_result.h"
#include "report/run_pages.h"

#include <filesystem>
#include <string>

namespace tune::cli {

/// What `tune run` prints at its end: report::to_text(), and last of all the next command.
std::string answer(const report::Run& run, const Terminal& terminal, bool is_verbose = false);

report::Painter painter_of(const Terminal& terminal);

/// The summary of result.json with the run's directory, as one JSON document.
std::string answer_json(const campaign::CampaignResult& result);

/// The path as it is shown: relative where that is shorter.
std::string short_path(const std::filesystem::path& path);

/// The path as one can type it here: relative where that is shorter, quoted where it must be.
std::string typed_path(const std::filesystem::path& path);

/// "tune run --resume tune-runs/x": how to resume a run, as one can type it here.
std::string resume_command(const std::filesystem::path& directory);

/// "tune run scenarios/x.yaml", "tune run -- python train.py": how to measure the scenario of a run
/// once more.
std::string repeating_command(const scenario::Scenario& scenario);

}  // namespace tune::cli
