#pragma once

#include "measure/campaign/campaign_result.h"
#include "measure/history/store.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace tune::cli {

/// The history of this user for reading, with its notes told on standard error; nothing where no
/// run has ended yet. Throws tune::Error.
std::optional<history::Store> readable_history();

/// The same for writing; made where there is none.
history::Store writable_history();

/// Says on standard error that no run is in the history yet.
void tell_empty_history();

/// The number of a run: "41", or "#41". Throws tune::Error naming `where`.
std::int64_t parse_run_number(const std::string& where, const std::string& text);

/// Copies the runs of the history that compare with this one into the run directory, this one
/// behind them, and the gates of its scenario, and adds them to the result, so that its report
/// shows them and can be made again anywhere. Needs the rules to be asked (ask_rules.h). Does
/// nothing where there are none, or where the history cannot be read, which note_in_history()
/// tells.
void keep_history(campaign::CampaignResult& result);

/// Adds what the result.json of a finished run or gate says to the history of this user; a gate's
/// directory gets the gates before it, and its page shows them. A history
/// that cannot be written, or anything else that goes wrong, costs the entry only: a note on
/// standard error.
void note_in_history(const std::filesystem::path& directory);

}  // namespace tune::cli
