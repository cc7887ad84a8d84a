#pragma once

#include "measure/campaign/recorded_run.h"

#include <filesystem>
#include <string>
#include <vector>

namespace tune::campaign {

/// Why a shard cannot be joined yet, "interrupted: 4 of 9 trials missing"; "" where it is whole.
std::string why_unfinished(const RecordedRun& shard);

/// Throws tune::Error naming the folders when they are no shards, shards of something else (another
/// scenario or flags, data, model, worker or version of tune), or when two are the same one.
void check_shards_belong(const std::vector<RecordedRun>& shards);

/// The plan of all of its cells: of its scenario without the shard, on its machine.
scenario::Plan whole_plan(const RecordedRun& shard);

/// What the header of the joined run keeps besides what the shards have in common.
struct JoinedHeader {
  std::vector<std::string> command;  ///< as typed
};

/// Writes one run into a folder that is empty or holds a joining that was broken off: the trials of
/// all shards, in the order of the shards, each shard with rounds of its own, so that a round stays
/// one of one machine. The ledger is written last; where anything fails before that the folder is
/// emptied again. The shards are whole, belong together, and none is missing. Throws tune::Error.
void join_shards(std::vector<RecordedRun> shards,
                 const std::filesystem::path& directory,
                 const JoinedHeader& header);

/// Whether a joining that was killed left the folder: copies of trials, without a ledger.
bool is_broken_off_joining(const std::filesystem::path& directory);

/// A round belongs to one machine. Where a shard is gone on with on another one (`host`) the trials
/// of the rounds that are not whole count as not run, in `run` and in the ledger.
void leave_rounds_of_other_hosts(RecordedRun& run, Ledger& ledger, const std::string& host);

}  // namespace tune::campaign
