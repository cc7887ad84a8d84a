#include "report/failures.h"

#include "report/diagnosis_text.h"
#include "report/headline.h"
#include "report/markup.h"
#include "report/number_text.h"
#include "report/run_facts.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string_view>

namespace tune::report {

namespace {

using campaign::CampaignResult;
using campaign::CellResult;
using campaign::TrialRecord;

constexpr std::size_t kLongestReason = 400, kLongestRuleDoubt = 600;
constexpr std::size_t kMostTailLines = 8;
constexpr std::size_t kLongestTailLine = 200;
constexpr std::size_t kMostNamed = 5;
constexpr double kBusyLoad = 0.5;  // of all CPUs, before anything of ours ran
constexpr std::string_view kNotMeasured = "not measured: ", kAtMost = "at most ";  // of the search

bool failed(const TrialRecord& trial) {
  return trial.outcome.kind != runner::OutcomeKind::completed;
}

/// The first trial of each cell that failed.
using FirstFailures = std::map<std::string, const TrialRecord*>;

FirstFailures first_failures(const CampaignResult& result) {
  FirstFailures found;
  for (const TrialRecord& trial : result.trials) {
    if (failed(trial)) {
      found.emplace(trial.spec.cell, &trial);
    }
  }
  return found;
}

const TrialRecord* trial_of(const FirstFailures& failures, const CellResult& cell) {
  const auto found = failures.find(cell.cell.id);
  return found == failures.end() ? nullptr : found->second;
}

bool was_never_run(const CellResult& cell, const TrialRecord* failure) {
  return cell.outcome == "not-run" && failure == nullptr;
}

// Without what the heading says; the search's figures are its model's.
std::string why_unmeasured(const CellResult& cell) {
  std::string_view reason = cell.reason;
  if (reason.starts_with(kNotMeasured)) {
    reason.remove_prefix(kNotMeasured.size());
  }
  return shortened((is_ruled_out(cell) ? "by the search's model " : "") + std::string(reason),
                   kLongestReason);
}

std::string last_lines(std::string_view text) {
  std::vector<std::string> lines;
  const std::string clean = printable(text);
  for (std::size_t start = 0; start < clean.size();) {
    const std::size_t end = std::min(clean.find('\n', start), clean.size());
    if (end > start) {
      lines.push_back(shortened(clean.substr(start, end - start), kLongestTailLine));
    }
    start = end + 1;
  }
  std::string tail;
  const std::size_t skipped = lines.size() > kMostTailLines ? lines.size() - kMostTailLines : 0;
  for (std::size_t i = skipped; i < lines.size(); ++i) {
    tail += (tail.empty() ? "" : "\n") + lines[i];
  }
  return tail;
}

// "c03, c07 and 4 more"
std::string named(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kMostNamed); ++i) {
    text += (i == 0 ? "" : ", ") + shortened(names[i], kLongestTailLine);
  }
  return names.size() <= kMostNamed
             ? text
             : text + " and " + std::to_string(names.size() - kMostNamed) + " more";
}

void warn_of_machine(const CampaignResult& result, std::vector<std::string>& found) {
  if (const std::string lost = lost_gpu_warning(result.machine); !lost.empty()) {
    found.push_back(lost);
  }
  const double load = result.machine.load1;
  if (result.machine.cpus > 0 && load > kBusyLoad * static_cast<double>(result.machine.cpus)) {
    found.push_back("The machine was busy when the run began (load " + number_text(load) + " on " +
                    counted(result.machine.cpus, "CPU") +
                    "): other work makes the intervals wider.");
  }
}

void warn_of_stalls(const CampaignResult& result, std::vector<std::string>& found) {
  const auto stalling = std::count_if(
      result.cells.begin(), result.cells.end(), [](const auto& cell) { return cell.stalls; });
  if (stalling > 0) {
    found.push_back(std::to_string(stalling) + " of " +
                    counted(static_cast<std::int64_t>(result.cells.size()), "cell") +
                    " ran unevenly: a typical slice is more than 1 % away from the whole window, "
                    "which is what counts. The ranking notes them as 'stalls'.");
  }
}

void warn_of_files(const CampaignResult& result, std::vector<std::string>& found) {
  std::map<std::string, std::string> broken;  // path -> problem; the same file fails in each trial
  std::int64_t errors = 0, samples = 0;
  for (const TrialRecord& trial : result.trials) {
    if (trial.outcome.reply) {
      const trial::LoaderReport& loader = trial.outcome.reply->loader;
      errors += loader.errors;
      samples += loader.samples;
      for (const trial::BrokenFile& file : loader.broken) {
        broken.emplace(file.path, file.problem + ", " + file.treatment);
      }
    }
  }
  if (errors == 0) {
    return;
  }
  std::vector<std::string> names;
  names.reserve(broken.size());
  for (const auto& [path, problem] : broken) {
    names.push_back(std::string(path).append(" (").append(problem).append(")"));
  }
  found.push_back(std::to_string(errors) + " of " + counted(samples, "delivered sample") +
                  " could not be decoded as they stand" +
                  (names.empty() ? "" : ": " + named(names)) + ".");
}

void warn_of_knobs(const CampaignResult& result, std::vector<std::string>& found) {
  std::map<std::string, std::string> ignored;
  for (const TrialRecord& trial : result.trials) {
    if (trial.outcome.reply) {
      for (const trial::IgnoredKnob& knob : trial.outcome.reply->ignored_knobs) {
        ignored.emplace(knob.name, knob.reason);
      }
    }
  }
  for (const auto& [name, reason] : ignored) {
    found.push_back("The worker ignored " + one_line(name) +
                    " in some cells: " + shortened(reason, kLongestReason) + ".");
  }
}

}  // namespace

std::vector<Failure> failures(const CampaignResult& result) {
  std::vector<Failure> found;
  const FirstFailures first = first_failures(result);
  for (const CellResult& cell : result.cells) {
    const TrialRecord* const trial = trial_of(first, cell);
    if (was_never_run(cell, trial) || (cell.outcome == "completed" && trial == nullptr)) {
      continue;
    }
    Failure failure{.cell = one_line(cell.cell.id), .setting = setting_text(cell.cell)};
    failure.outcome = shortened(cell.outcome, kLongestReason);
    failure.reason = shortened(cell.reason, kLongestReason);
    if (trial != nullptr) {
      failure.trial = one_line(trial->spec.id);
      failure.stderr_tail = last_lines(trial->outcome.stderr_tail);
      if (cell.outcome == "completed" || cell.outcome == "not-run") {
        failure.outcome = runner::name(trial->outcome.kind);
      }
      if (failure.reason.empty()) {
        failure.reason = shortened(trial->outcome.reason, kLongestReason);
      }
    }
    found.push_back(std::move(failure));
  }
  return found;
}

std::vector<Unmeasured> unmeasured(const CampaignResult& result) {
  std::vector<Unmeasured> found;
  const FirstFailures first = first_failures(result);
  for (const CellResult& cell : result.cells) {
    if (was_never_run(cell, trial_of(first, cell))) {
      found.push_back({.cell = one_line(cell.cell.id),
                       .setting = setting_text(cell.cell),
                       .reason = why_unmeasured(cell)});
    }
  }
  return found;
}

bool is_ruled_out(const CellResult& cell) {
  const std::string_view reason = cell.reason;
  return cell.outcome == "not-run" && reason.starts_with(kNotMeasured) &&
         reason.substr(kNotMeasured.size()).starts_with(kAtMost);
}

std::vector<std::string> warnings(const CampaignResult& result) {
  std::vector<std::string> found;
  if (!result.complete) {
    found.push_back("Promised work is missing: " +
                    (result.incomplete_reason.empty()
                         ? "the run was stopped"
                         : shortened(result.incomplete_reason, kLongestReason)) +
                    ".");
  }
  for (const std::string& warning : result.warnings) {
    found.push_back(shortened(warning, kLongestReason) + (warning.ends_with('.') ? "" : "."));
  }
  warn_of_machine(result, found);
  warn_of_stalls(result, found);
  warn_of_files(result, found);
  warn_of_knobs(result, found);
  for (const std::string& note : result.scenario.notes) {
    found.push_back(shortened(note, kLongestReason));
  }
  return found;
}

std::vector<std::string> doubts_about(const CampaignResult& result) {
  std::vector<std::string> found = warnings(result);
  if (!result.diagnosis) {
    return found;
  }
  // Behind what is missing, before the many small ones.
  std::ptrdiff_t place = result.complete ? 0 : 1;
  for (const std::string& line : doubt_lines(result.diagnosis->diagnosis)) {
    const std::string doubt = shortened(line, kLongestRuleDoubt);
    if (std::find(found.begin(), found.end(), doubt) == found.end()) {
      found.insert(found.begin() + place++, doubt);
    }
  }
  return found;
}

}  // namespace tune::report
