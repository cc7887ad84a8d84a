// How a run was measured, and every trial of it.

#include "base/units.h"
#include "report/failures.h"
#include "report/headline.h"
#include "report/noise_text.h"
#include "report/number_text.h"
#include "report/run_sections.h"
#include "report/run_words.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tune::report {

namespace {

using Align = Table::Align;
using result::Audit;
using result::Result;

constexpr std::size_t kLongestLine = 800;

std::string found_text(const Result& result, const Audit& audit) {
  const std::string cost =
      " with " + share_text(audit.trials_ratio.value_or(0)) + " of the trials (" +
      std::to_string(audit.search_trials) + " of " + std::to_string(audit.trials) + ") and " +
      share_text(audit.measured_ratio.value_or(0)) + " of the measured seconds";
  const std::string whole = counted(audit.cells, "cell") + " in " + counted(audit.rounds, "round");
  if (!audit.found_ratio) {
    return "the search ended" + cost + " of " + whole +
           ", but what it found cannot be judged: " + one_line(audit.found_ratio_reason);
  }
  if (audit.pick == audit.best) {
    return "the search found 100.0 % of the best" + cost + ": " +
           setting_words(result, audit.pick) + " is the fastest of " + whole;
  }
  return "the search found " + share_text(*audit.found_ratio) + " of the best" + cost + ": " +
         setting_words(result, audit.pick) + " against " + setting_words(result, audit.best) +
         " of " + whole +
         ". The best of many noisy cells looks better than it is, so the share is rather "
         "too low";
}

// What "at most" means of a setting that never ran.
std::string model_line() {
  return "search's model: a regression (a Gaussian process) on the rates measured so far, by which "
         "settings that share values of knobs are about as fast. Of a setting that never ran, 'at "
         "most' is the upper end of what it expects; what it says that the leader has is its own "
         "figure too, not that of the table";
}

// Those of which it is said whether they measured a steady state.
std::int64_t judged_trials(const Run& run) {
  if (run.directory != nullptr) {
    return run.directory->steadiness.trials;
  }
  const auto& trials = run.result.provenance.trials;
  return std::count_if(trials.begin(), trials.end(), [](const result::Trial& trial) {
    return !trial.steadiness.empty();
  });
}

// What came before the fresh pairs: the warm-up that was found and how far the trials could check
// it, why the search ended, what its audit says.
std::vector<std::string> method_lines(const Run& run) {
  const Result& result = run.result;
  std::vector<std::string> lines;
  const auto add = [&](const std::string& line) { lines.push_back(shortened(line, kLongestLine)); };
  if (result.method && result.method->warmup) {
    add("warm-up: " + result.method->warmup->text);
  }
  if (const std::int64_t weak = result.summary.trials.weak.value_or(0); weak > 0) {
    add("steady state: " + weakness_words(weak, judged_trials(run)));
  }
  if (result.method && !result.method->search_ended.empty() && result.cells.size() > 1) {
    add("search: " + result.method->search_ended);
  }
  if (std::any_of(result.cells.begin(), result.cells.end(), is_ruled_out)) {
    add(model_line());
  }
  if (const std::string audit = audit_text(result); !audit.empty()) {
    add("audit: " + audit);
  }
  add(detectable_line(result));
  return lines;
}

// What every run does alike, with the numbers of its scenario.
std::vector<std::string> rules_of(const campaign::CampaignResult& result) {
  const scenario::Scenario& scenario = result.scenario;
  const trial::Measure& measure = scenario.measure;
  const std::string drawn = scenario.has_seed ? "" : ", drawn";
  return {
      "Every trial is a fresh process. It warms up for at least " +
          counted(measure.warmup_steps, "step") + " and " + format_time(measure.warmup_ns) +
          ", then " + counted(measure.slices, "slice") + " of at least " +
          format_time(measure.slice_ns) + " and " + counted(measure.slice_steps, "step") +
          " are timed. Throughput is samples divided by wall time over all of them, so every stall "
          "counts. No profiler is present.",
      scenario.strategy == "grid"
          ? "The search runs every setting and the baseline " + counted(scenario.rounds, "time") +
                ", in an order that is random in each round (seed " + std::to_string(result.seed) +
                drawn + ")."
          : "The search (" + scenario.strategy + ", seed " + std::to_string(result.seed) + drawn +
                ") runs blocks of settings in random order, the baseline in each; first trials "
                "are short, those that may matter are repeated.",
      "A gain of the search is the ratio to the baseline of the same round, minus 1. The best "
      "settings then run in fresh rounds with the baseline, in random order and its reverse. Only "
      "these are printed as gains: the best of many settings looks better in the search than it "
      "is. They are looked at a few times that were fixed before; all looks together may err with "
      "a probability of 2.5 %.",
      "Values of the search are medians with exact order statistics of the median, which assume "
      "nothing about the distribution; those of the fresh pairs are Hodges-Lehmann estimates with "
      "exact signed-rank bounds. The confidence beside them is what they cover."};
}

List pitfalls() {
  return {
      {"Summed kernel time is not wall time: streams overlap.",
       "Exposed is not blocking: what nothing hides need not be what others wait for.",
       "An occupant is not the producer: who runs while others wait need not be the cause.",
       "The wait in next() is not the loader's cost: it is what the training does not hide of it.",
       "When one part shrinks another may grow: what was hidden behind it comes to light.",
       "The best of many settings looks better in the search than it is: only fresh pairs count."}};
}

// "steady", "weak", "clock: the CPU clock fell by ..."; "" of a trial that is not judged.
std::string steadiness_text(const result::Trial& trial) {
  const bool is_steady = trial.steadiness == "steady" || trial.steadiness == "weak";
  return is_steady || trial.steadiness_why.empty() ? trial.steadiness
                                                   : trial.steadiness + ": " + trial.steadiness_why;
}

Folded all_trials(const std::vector<result::Trial>& trials, std::size_t most) {
  Table table{.caption = "Every trial in the order run; each was a process of its own",
              .columns = {{"trial"},
                          {"stage"},
                          {"round", Align::right},
                          {"cell"},
                          {"outcome"},
                          {"duration", Align::right},
                          {"steady state"},
                          {"disturbance"}}};
  for (std::size_t i = 0; i < std::min(trials.size(), most); ++i) {
    const result::Trial& trial = trials[i];
    table.rows.push_back({trial.id,
                          trial.stage,
                          std::to_string(trial.round),
                          trial.cell,
                          trial.outcome,
                          trial.seconds ? format_seconds(*trial.seconds) : "not known",
                          steadiness_text(trial),
                          trial.disturbance});
  }
  const std::size_t left_out = trials.size() - table.rows.size();
  Folded all{"All trials", {{std::move(table)}}};
  if (left_out > 0) {
    all.blocks.push_back(
        {Sentence{"The other " + std::to_string(left_out) + " trials are in result.json."}});
  }
  return all;
}

}  // namespace

std::string audit_text(const Result& result) {
  if (!result.method || !result.method->audit) {
    return "";
  }
  const Audit& audit = *result.method->audit;
  return audit.complete ? found_text(result, audit) : audit.found_ratio_reason;
}

Section run_method_section(const Run& run, const PageDetail& detail) {
  Section section{.title = "How it was measured"};
  const std::vector<std::string> lines = method_lines(run);
  std::vector<std::string> all =
      run.directory == nullptr ? std::vector<std::string>() : rules_of(*run.directory);
  all.insert(all.end(), lines.begin(), lines.end());
  return section.add(List{std::move(all)}, kInHtml)
      .add(List{lines}, kAsLines | kInMarkdown)
      .add(Heading{"What is easily read wrongly"}, kInHtml)
      .add(pitfalls(), kInHtml)
      .add(all_trials(run.result.provenance.trials, detail.trials), kInHtml);
}

}  // namespace tune::report
