#include "report/failures.h"

#include "report/markup.h"
#include "report/number_text.h"
#include "report/run_facts.h"

#include <algorithm>
#include <cstddef>
#include <map>

namespace tune::report {

namespace {

using campaign::CampaignResult;
using campaign::TrialRecord;

constexpr std::size_t kLongestReason = 400;
constexpr std::size_t kLongestTailLine = 200;
constexpr std::size_t kMostNamed = 5;
constexpr double kBusyLoad = 0.5;  // of all CPUs, before anything of ours ran

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
    const bool has_script = result.scenario.workload.script.exists();
    found.push_back((has_script ? one_line(name) + " was not in effect"
                                : "The worker ignored " + one_line(name)) +
                    " in some cells: " + shortened(reason, kLongestReason) + ".");
  }
}

}  // namespace

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

}  // namespace tune::report
