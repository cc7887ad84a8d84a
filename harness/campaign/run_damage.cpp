#include "campaign/run_damage.h"

#include "runner/output_log.h"

#include <algorithm>
#include <set>

namespace tune::campaign {

namespace {

constexpr std::size_t kMostNamed = 6;

// Each once, with the newest damage.
std::vector<ForgottenTrial> lost_trials(const RecordedRun& run) {
  std::vector<ForgottenTrial> all = run.ledger.forgotten;
  all.insert(all.end(), run.damaged.begin(), run.damaged.end());
  std::set<std::string> seen;
  std::vector<ForgottenTrial> lost;
  for (auto trial = all.rbegin(); trial != all.rend(); ++trial) {
    if (seen.insert(trial->id).second) {
      lost.push_back(*trial);
    }
  }
  std::reverse(lost.begin(), lost.end());
  return lost;
}

bool was_run_again(const RecordedRun& run, const ForgottenTrial& lost) {
  return std::any_of(run.trials.begin(), run.trials.end(), [&](const TrialRecord& record) {
    return record.spec.id == lost.id;
  });
}

std::string sentence(const RecordedRun& run, const ForgottenTrial& lost) {
  const bool again = was_run_again(run, lost);
  const std::string what =
      "trials/" + lost.id + "/reply.json: " + (again ? "was " : "is ") + lost.damage;
  // An earlier pair is not mended: fresh ones are run until there are enough.
  const bool in_pair = lost.id.starts_with("confirm") || lost.id.starts_with("ladder");
  const bool is_of_shard = run.scenario.joined_shards > 0 && !again && !in_pair;
  return runner::printable(what) +
         (again         ? "; the trial was run again"
          : is_of_shard ? "; it stays lost, for its round was another machine's"
          : in_pair     ? "; its pair counts no more, a fresh one takes its place"
                        : "; the trial will be run again");
}

}  // namespace

std::vector<std::string> damage_warnings(const RecordedRun& run) {
  std::vector<std::string> warnings;
  const std::vector<ForgottenTrial> lost = lost_trials(run);
  for (std::size_t i = 0; i < std::min(lost.size(), kMostNamed); ++i) {
    warnings.push_back(sentence(run, lost[i]));
  }
  if (lost.size() > kMostNamed) {
    warnings.push_back(std::to_string(lost.size() - kMostNamed) +
                       " more replies are missing or damaged, or were");
  }
  const std::vector<LeftOutLine>& left_out = run.ledger.left_out;
  for (std::size_t i = 0; i < std::min(left_out.size(), kMostNamed); ++i) {
    warnings.push_back("ledger.jsonl:" + std::to_string(left_out[i].number) + ": is left out (" +
                       runner::printable(left_out[i].why) + "); what it told counts as not run");
  }
  if (left_out.size() > kMostNamed) {
    warnings.push_back(std::to_string(left_out.size() - kMostNamed) +
                       " more lines of ledger.jsonl are left out");
  }
  if (run.ledger.torn) {
    warnings.push_back("ledger.jsonl: its last line is cut off; what it told counts as not run");
  }
  return warnings;
}

bool has_lost_trials(const RecordedRun& run) {
  const std::vector<ForgottenTrial> lost = lost_trials(run);
  return std::any_of(lost.begin(), lost.end(), [&](const ForgottenTrial& trial) {
    return !was_run_again(run, trial);
  });
}

}  // namespace tune::campaign
