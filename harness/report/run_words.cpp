#include "report/run_words.h"

#include "base/text.h"
#include "base/units.h"
#include "report/diagnosis_text.h"
#include "report/format/stored_text.h"
#include "report/number_text.h"
#include "trial/knob_catalog.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>

namespace tune::report {

namespace {

constexpr std::size_t kLongestSetting = 160, kLongestWarning = 1'200, kLongestDoubt = 600;
constexpr std::size_t kLongestPath = 300;
constexpr std::string_view kNotConfirmed = "not confirmed: ";

std::string doubt_text(const result::Finding& finding) {
  return shortened(finding.rule + ": " + reason_words(finding) + ". " + finding.title,
                   kLongestDoubt);
}

}  // namespace

bool is_doubt(const result::Finding& finding) {
  return finding.state == "fired" && finding.group == "validity";
}

const result::Cell* baseline_of(const result::Result& result) {
  return result.find_cell("baseline");
}

const result::Cell* best_of(const result::Result& result) {
  const std::string& id = result.summary.best.side.cell;
  return id.empty() ? nullptr : result.find_cell(id);
}

const result::Cell* cell_with(const result::Result& result,
                              const result::Recommendation& recommendation) {
  result::Setting change;
  for (const result::KnobChange& knob : recommendation.change.knobs) {
    if (!knob.to) {
      return nullptr;
    }
    change.emplace_back(knob.name, *knob.to);
  }
  std::sort(change.begin(), change.end());
  const auto found =
      std::find_if(result.cells.begin(), result.cells.end(), [&](const result::Cell& cell) {
        return !change.empty() && cell.changed == change;
      });
  return found == result.cells.end() ? nullptr : &*found;
}

bool has_fresh_pairs(const result::Result& result) {
  return result.summary.best.gain.value.has_value();
}

bool is_proven(const result::Result& result) {
  return result.summary.best.verdict == "CONFIRMED";
}

std::string doubt_of(const result::Result& result) {
  const result::Best& best = result.summary.best;
  if (best.side.cell.empty()) {
    return result.summary.best_reason;
  }
  const std::string& reason = best.verdict_reason;
  return reason.starts_with(kNotConfirmed) ? reason.substr(kNotConfirmed.size()) : reason;
}

const std::string& headline_text(const result::Result& result) {
  static const std::string kNone = "This file holds no answer in one sentence.";
  return result.summary.headline.empty() ? kNone : result.summary.headline;
}

std::string setting_words(const result::Cell& cell) {
  if (cell.changed.empty()) {
    return cell.id == "baseline" ? "the baseline" : cell.id;
  }
  const std::string whole = trial::to_text({cell.changed.begin(), cell.changed.end()});
  const std::string text = shortened(whole, kLongestSetting + 1);
  return whole.size() <= kLongestSetting
             ? text
             : counted(static_cast<std::int64_t>(cell.changed.size()), "changed knob") + " (" +
                   cell.id + ")";
}

std::string setting_words(const result::Result& result, const std::string& id) {
  const result::Cell* const cell = result.find_cell(id);
  return cell == nullptr ? id : setting_words(*cell);
}

std::vector<std::string> doubts_about(const result::Result& result) {
  constexpr std::size_t kMostWarnings = 50;  // of a page that must fit into 100 KB
  const auto& all = result.warnings;
  const auto shown = static_cast<std::ptrdiff_t>(std::min(all.size(), kMostWarnings));
  std::vector<std::string> doubts;
  std::transform(
      all.begin(), all.begin() + shown, std::back_inserter(doubts), [](const std::string& warning) {
        return shortened(warning, kLongestWarning);
      });
  if (all.size() > kMostWarnings) {
    const auto more = static_cast<std::int64_t>(all.size() - kMostWarnings);
    doubts.push_back(counted(more, "more warning") + (more == 1 ? " is" : " are") +
                     " in result.json.");
  }
  // Behind what is missing, before the many small ones.
  std::ptrdiff_t place = result.provenance.complete || doubts.empty() ? 0 : 1;
  for (const result::Finding& finding : result.findings) {
    const std::string doubt = is_doubt(finding) ? doubt_text(finding) : "";
    if (!doubt.empty() && std::find(doubts.begin(), doubts.end(), doubt) == doubts.end()) {
      doubts.insert(doubts.begin() + place++, doubt);
    }
  }
  if (const stats::Number& gain = result.summary.best.gain;
      is_proven(result) && has_vague_size(gain)) {
    doubts.insert(doubts.begin(),
                  "The size of the gain is not known: the interval is " + gain_interval_text(gain) +
                      ". Repeat on a machine with less else to do.");
  }
  return doubts;
}

std::string effort(const result::Result& result) {
  const result::TrialCounts& trials = result.summary.trials;
  std::string text = counted(static_cast<std::int64_t>(result.cells.size()), "cell") + ", " +
                     counted(trials.run, "trial");
  if (trials.failed > 0) {
    text += " (" + std::to_string(trials.failed) + " failed)";
  }
  if (const auto& elapsed = result.provenance.elapsed) {
    constexpr double kMostSeconds = 1e9;  // anybody may have written it
    text += " in " + format_time(std::llround(std::clamp(*elapsed, 0.0, kMostSeconds) * 1e9));
  }
  return result.environment.cpus > 0 ? text + " on " + counted(result.environment.cpus, "CPU")
                                     : text;
}

std::string steadiness_words(const result::Steadiness& steadiness, const std::string& group) {
  const std::string begin =
      std::to_string(steadiness.not_steady) + " of " + std::to_string(steadiness.trials) + " ";
  const std::string& why = steadiness.why;
  const std::string told = begin + "trials";
  return why.starts_with(told) ? begin + group + why.substr(told.size()) : why;
}

std::string what_is_missing(const result::Result& result) {
  const auto named = [](const char* before, const std::string& text, const char* after) {
    return text.empty() ? "" : before + shortened(text, kLongestPath) + after;
  };
  return "Made of result.json alone" +
         named(", written by tune ", result.provenance.tune_version, "") +
         ": drawings of steps, curves of the machine and the output of trials that failed need the "
         "run directory" +
         named(" (", result.provenance.directory, ")") + ".";
}

std::string weakness_words(std::int64_t weak, std::int64_t trials) {
  return std::to_string(weak) + " of " + counted(trials, "trial") +
         " had too few steps for their noise to rule out a slow drift (weak)";
}

std::optional<double> shown_rate(const result::Result& result, const std::string& cell) {
  const result::Number* const rate = MetricByCell(result, "throughput").find(cell);
  return rate == nullptr ? std::nullopt : rate->value;
}

MetricByCell::MetricByCell(const result::Result& result, std::string_view id, Window window) {
  for (const result::Metric& metric : result.metrics) {
    if (metric.id != id || !metric.number.value) {
      continue;
    }
    const auto [known, is_first] = by_cell_.emplace(metric.cell, &metric.number);
    if (!is_first && window == Window::fresh_pairs && metric.window == "confirm") {
      known->second = &metric.number;
    }
  }
}

const result::Number* MetricByCell::find(const std::string& cell) const {
  const auto found = by_cell_.find(cell);
  return found == by_cell_.end() ? nullptr : found->second;
}

std::string MetricByCell::text(const std::string& cell, const std::string& otherwise) const {
  const result::Number* const number = find(cell);
  return number == nullptr ? otherwise
                           : number_words({.value = number->value, .unit = number->unit});
}

}  // namespace tune::report
