#include "measure/campaign/run_warnings.h"

#include "dataset/image_folder.h"
#include "measure/campaign/ledger.h"
#include "measure/campaign/measured_parts.h"
#include "measure/campaign/objective.h"
#include "measure/campaign/page_cache.h"
#include "measure/campaign/taint.h"
#include "measure/runner/output_log.h"
#include "trial/knob_catalog.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <set>
#include <utility>
#include <vector>

namespace tune::campaign {

std::string failure_text(const TrialRecord& record) {
  const runner::TrialOutcome& outcome = record.outcome;
  std::string text =
      outcome.reason.empty() ? std::string(runner::name(outcome.kind)) : outcome.reason;
  if (record.stage == "warmup") {
    return text + " (looking for the steady state)";
  }
  if (record.stage == "diagnose") {
    return text + " (recording the baseline)";
  }
  if (record.stage == "ceiling") {
    return text + (record.round == 1 ? " (the model on resident batches)" : " (the loader alone)");
  }
  if (record.stage == "epoch") {
    return text + " (measuring a whole epoch)";
  }
  text += record.stage == "confirm"  ? " (confirming round "
          : record.stage == "ladder" ? " (ladder, round "
          : record.stage == "audit"  ? " (audit, round "
                                     : " (round ";
  return text + std::to_string(record.round) + ")";
}

namespace {

// CPUs that others kept busy, over the slices whose kernel says so.
double other_cpus(const trial::TrialReply& reply) {
  double other_ns = 0;
  double wall_ns = 0;
  for (const trial::Slice& slice : reply.slices) {
    if (slice.disturbance.other_cpu_ns) {
      other_ns += static_cast<double>(*slice.disturbance.other_cpu_ns);
      wall_ns += static_cast<double>(slice.wall_ns);
    }
  }
  return wall_ns > 0 ? other_ns / wall_ns : 0;
}

}  // namespace

std::string disturbed_by(const TrialRecord& record) {
  if (!record.outcome.reply) {
    return "";
  }
  const trial::TrialReply& reply = *record.outcome.reply;
  const double used = other_cpus(reply);
  if (used <= most_other_cpus(reply.facts.cpus.size()) || clean_rate(reply).slices.tainted == 0) {
    return "";
  }
  std::array<char, 32> number{};
  std::snprintf(number.data(), number.size(), "%.2f", used);
  return std::string("other processes used ") + number.data() +
         (reply.facts.cpus.empty() ? "" : " of " + std::to_string(reply.facts.cpus.size())) +
         " CPUs";
}

std::string disturbance_text(const TrialRecord& record) {
  const std::string by = disturbed_by(record);
  const std::string where = " in " + record.spec.cell +
                            (record.stage == "confirm"   ? " confirming round "
                             : record.stage == "audit"   ? " audit round "
                             : record.stage == "ladder"  ? " ladder round "
                             : record.stage == "ceiling" ? " ceiling "
                                                         : " round ") +
                            std::to_string(record.round);
  return by.empty() ? "" : by + where;
}

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
                       runner::printable(left_out[i].why) +
                       "); what it recorded counts as not run");
  }
  if (left_out.size() > kMostNamed) {
    warnings.push_back(std::to_string(left_out.size() - kMostNamed) +
                       " more lines of ledger.jsonl are left out");
  }
  if (run.ledger.torn) {
    warnings.push_back(
        "ledger.jsonl: its last line is cut off; what it recorded counts as not run");
  }
  return warnings;
}

bool has_lost_trials(const RecordedRun& run) {
  const std::vector<ForgottenTrial> lost = lost_trials(run);
  return std::any_of(lost.begin(), lost.end(), [&](const ForgottenTrial& trial) {
    return !was_run_again(run, trial);
  });
}

std::string unconfirmed_text(const scenario::Plan& plan, const Progress& progress) {
  const std::vector<std::size_t> left = progress.without_room();
  std::string text;
  for (const std::size_t index : left) {
    const scenario::Cell& cell = plan.cells[index];
    text += (text.empty() ? "" : ", ") + trial::to_text(cell.changed);
  }
  if (left.empty()) {
    return text;
  }
  const std::size_t confirmed = progress.confirmation().rows.size();
  text += left.size() == 1 ? " was" : " were";
  text += " not confirmed: the budget had room for the pairs of ";
  text += confirmed == 1 ? "one setting" : std::to_string(confirmed) + " settings";
  return text + " only";
}

namespace {

using Sentences = std::vector<std::string>;

// A cell is called by what it changes.
std::string setting_words(const CampaignResult& result, const std::string& id) {
  const auto found =
      std::find_if(result.cells.begin(), result.cells.end(), [&](const CellResult& each) {
        return each.cell.id == id && !each.cell.changed.empty();
      });
  return found == result.cells.end() ? id : trial::to_text(found->cell.changed);
}

void add_failures(const CampaignResult& result, Sentences& found) {
  Sentences failed;
  for (const CellResult& cell : result.cells) {
    if (&cell != &result.cells.front() && cell.outcome != "completed" &&
        cell.outcome != "not-run") {
      failed.push_back(setting_words(result, cell.cell.id) + " (" + cell.outcome + ")");
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
      found.push_back(setting_words(result, row.cell) + " ran in fresh pairs and " +
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
      std::string text = setting_words(result, epoch.cell) + ": ";
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

namespace {

void add_peaks(const RecordedRun& run, const CampaignResult& result, Sentences& found) {
  if (result.scenario.objective.metric != "mfu") {
    return;
  }
  std::set<double> peaks;
  for (const TrialRecord& trial : run.trials) {
    const auto peak = trial.outcome.reply && trial.outcome.reply->facts.gpu
                          ? product_peak(trial.spec, trial.outcome.reply->facts.gpu->name)
                          : std::nullopt;
    if (peak) {
      peaks.insert(*peak);
    }
  }
  if (peaks.size() > 1) {
    found.emplace_back(
        "settings of another precision have another peak: one that is faster can have a lower mfu");
  }
}

}  // namespace

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
  for (std::string text : {result.steadiness.text("trials"), cold_cache_text(run.trials)}) {
    if (!text.empty()) {
      found.push_back(std::move(text));
    }
  }
  add_epochs(result, found);
  add_peaks(run, result, found);
  const Sentences parts = parts_warnings(result);
  found.insert(found.end(), parts.begin(), parts.end());
  return found;
}

}  // namespace tune::campaign
