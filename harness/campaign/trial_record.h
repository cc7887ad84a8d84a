#pragma once

#include "campaign/campaign_result.h"
#include "campaign/ledger_record.h"

#include <filesystem>
#include <string>

namespace tune::campaign {

/// Makes the folder of a trial that begins. One that was begun and abandoned leaves a folder;
/// nothing of it may mix with the new one. Throws tune::Error when that cannot be done.
void make_trial_folder(const std::filesystem::path& folder);

/// What the ledger keeps of a finished trial. Its reply stays a file of its own.
LoggedTrial logged(const TrialRecord& record);

bool has_completed(const TrialRecord& record);

}  // namespace tune::campaign
