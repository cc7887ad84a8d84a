#include "campaign/run_warnings.h"

#include "campaign/disturbance.h"
#include "campaign/run_damage.h"
#include "campaign/trial_record.h"
#include "runner/output_log.h"

#include <algorithm>
#include <set>
#include <utility>

namespace tune::campaign {

namespace {

void add_failed_settings(const std::vector<CellResult>& cells, std::vector<std::string>& warnings) {
  std::vector<std::string> failed;
  for (std::size_t i = 1; i < cells.size(); ++i) {
    if (cells[i].outcome != "completed" && cells[i].outcome != "not-run") {
      failed.push_back(cells[i].cell.id + " " + cells[i].outcome);
    }
  }
  if (failed.empty()) {
    return;
  }
  constexpr std::size_t kMostNamed = 6;
  std::string text = std::to_string(failed.size()) + " of " + std::to_string(cells.size() - 1) +
                     " settings failed: ";
  for (std::size_t i = 0; i < std::min(failed.size(), kMostNamed); ++i) {
    text += (i > 0 ? ", " : "") + failed[i];
  }
  text += failed.size() > kMostNamed ? ", ..." : "";
  warnings.push_back(std::move(text));
}

void add_failed_pairs(const RecordedRun& run, std::vector<std::string>& warnings) {
  for (const TrialRecord& record : run.trials) {
    if (record.stage == "confirm" && !has_completed(record)) {
      std::string text = record.spec.cell + " failed while it was confirmed: ";
      text += failure_text(record);
      warnings.push_back(std::move(text));
    }
  }
}

void add_removed_variables(const RecordedRun& run, std::vector<std::string>& warnings) {
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
  warnings.push_back("kept from the workers, because it can load other code into them: " + text);
}

void add_disturbances(const RecordedRun& run, std::vector<std::string>& warnings) {
  std::vector<std::string> texts;
  for (const TrialRecord& record : run.trials) {
    std::string text = disturbance_text(record);
    if (!text.empty()) {
      texts.push_back(std::move(text));
    }
  }
  if (texts.size() == 1) {
    warnings.push_back(texts.front());
  } else if (!texts.empty()) {
    std::string text = std::to_string(texts.size()) + " of " + std::to_string(run.trials.size());
    text += " trials were disturbed, the first: " + texts.front();
    text += "; report.html and result.json name each";
    warnings.push_back(std::move(text));
  }
}

}  // namespace

std::vector<std::string> run_warnings(const RecordedRun& run,
                                      const std::vector<CellResult>& cells) {
  std::vector<std::string> warnings;
  add_failed_settings(cells, warnings);
  add_failed_pairs(run, warnings);
  for (std::string& warning : damage_warnings(run)) {
    warnings.push_back(std::move(warning));
  }
  add_removed_variables(run, warnings);
  add_disturbances(run, warnings);
  return warnings;
}

}  // namespace tune::campaign
