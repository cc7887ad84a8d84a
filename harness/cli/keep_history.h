#pragma once

#include "campaign/campaign_result.h"

#include <filesystem>

namespace tune::cli {

/// Copies the runs of the history that compare with this one into the run directory, this one
/// behind them, and the gates of its scenario, and adds them to the result, so that its report
/// shows them and can be made again anywhere. Needs the rules to be asked (run_rules.h). Does
/// nothing where there are none, or where the history cannot be read, which note_in_history()
/// tells.
void keep_history(campaign::CampaignResult& result);

/// Adds what the result.json of a finished run or gate says to the history of this user; a gate's
/// directory gets the gates before it, and its page shows them. A history
/// that cannot be written, or anything else that goes wrong, costs the entry only: a note on
/// standard error.
void note_in_history(const std::filesystem::path& directory);

}  // namespace tune::cli
