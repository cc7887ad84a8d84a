#include "campaign/run_warnings.h"

#include "campaign/cold_cache.h"
#include "campaign/disturbance.h"
#include "campaign/failure_text.h"
#include "campaign/measured_parts.h"
#include "campaign/objective.h"
#include "campaign/run_damage.h"
#include "campaign/trial_record.h"
#include "dataset/image_folder.h"
#include "runner/output_log.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>
#include <utility>

namespace tune::campaign {

namespace {

using Sentences = std::vector<std::string>;

void add_failures(const CampaignResult& result, Sentences& found) {
  constexpr std::size_t kMostNamed = 6;
  Sentences failed;
  for (const CellResult& cell : result.cells) {
    if (&cell != &result.cells.front() && cell.outcome != "completed" &&
        cell.outcome != "not-run") {
      failed.push_back(cell.cell.id + " " + cell.outcome);
    }
  }
  if (failed.empty()) {
    return;
  }
  std::string text = std::to_string(failed.size()) + " of " +
                     std::to_string(result.cells.size() - 1) + " settings failed: ";
  for (std::size_t i = 0; i < std::min(failed.size(), kMostNamed); ++i) {
    text += (i > 0 ? ", " : "") + failed[i];
  }
  text += failed.size() > kMostNamed ? ", ..." : "";
  found.push_back(std::move(text));
}

void add_failed_pairs(const RecordedRun& run, Sentences& found) {
  for (const TrialRecord& record : run.trials) {
    const bool is_paired = record.stage == "confirm" || record.stage == "ladder";
    if (is_paired && !has_completed(record)) {
      std::string text = record.spec.cell + " failed in its fresh pairs: ";
      found.push_back(text += failure_text(record));
    }
  }
}

// Their verdicts are shown, and must not be taken for advice.
void add_ruled_out(const CampaignResult& result, Sentences& found) {
  std::set<std::string> told;
  const auto tell = [&](const Confirmation& row) {
    if (row.pairs > 0 && !row.broken_constraints.empty() && told.insert(row.cell).second) {
      found.push_back(row.cell + " ran in fresh pairs and " +
                      constraint_text(row.broken_constraints) + "; it is never recommended");
    }
  };
  for (const Confirmation& row : result.confirmations) {
    tell(row);
  }
  for (const LadderRung& rung : result.ladder) {
    if (rung.pairs) {
      tell(*rung.pairs);
    }
  }
}

void add_removed_variables(const RecordedRun& run, Sentences& found) {
  std::set<std::string> names;
  for (const TrialRecord& record : run.trials) {
    const auto& removed = record.outcome.removed_variables;
    names.insert(removed.begin(), removed.end());
  }
  if (names.empty()) {
    return;
  }
  std::string text;
  for (const std::string& name : names) {
    text += (text.empty() ? "" : ", ") + runner::printable(name);
  }
  found.push_back("kept from the workers, because it can load other code into them: " + text);
}

void add_disturbances(const RecordedRun& run, Sentences& found) {
  Sentences texts;
  for (const TrialRecord& record : run.trials) {
    std::string text = disturbance_text(record);
    if (!text.empty()) {
      texts.push_back(std::move(text));
    }
  }
  if (texts.size() == 1) {
    found.push_back(std::move(texts.front()));
  } else if (!texts.empty()) {
    std::string text = std::to_string(texts.size()) + " of " + std::to_string(run.trials.size()) +
                       " trials were disturbed, the first: " + texts.front();
    found.push_back(text += "; report.html and result.json name each");
  }
}

void add_epochs(const CampaignResult& result, Sentences& found) {
  for (const EpochResult& epoch : result.epochs) {
    if (epoch.check && std::abs(epoch.check->difference()) > kEpochMismatch) {
      std::string text = epoch.cell + ": ";
      found.push_back(text += mismatch_text(*epoch.check));
    }
  }
}

}  // namespace

std::string unread_images_text(const std::vector<TrialRecord>& trials) {
  for (const TrialRecord& record : trials) {
    if (record.outcome.reply && !record.outcome.reply->loader.skipped_types.empty()) {
      return dataset::unread_images_text(record.outcome.reply->loader.skipped_types);
    }
  }
  return "";
}

std::vector<std::string> run_warnings(const RecordedRun& run, const CampaignResult& result) {
  Sentences found;
  add_failures(result, found);
  add_failed_pairs(run, found);
  add_ruled_out(result, found);
  const Sentences damage = damage_warnings(run);
  found.insert(found.end(), damage.begin(), damage.end());
  if (std::string text = unread_images_text(run.trials); !text.empty()) {
    found.push_back(std::move(text));
  }
  add_removed_variables(run, found);
  add_disturbances(run, found);
  for (std::string text : {result.steadiness.text("trials"), cold_cache_text(result.trials)}) {
    if (!text.empty()) {
      found.push_back(std::move(text));
    }
  }
  add_epochs(result, found);
  const Sentences parts = parts_warnings(result);
  found.insert(found.end(), parts.begin(), parts.end());
  return found;
}

}  // namespace tune::campaign
