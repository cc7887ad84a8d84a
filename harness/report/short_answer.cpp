#include "report/short_answer.h"

#include "base/text.h"
#include "base/units.h"
#include "report/number_text.h"
#include "report/objective_words.h"
#include "report/run_facts.h"
#include "report/run_words.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>

namespace tune::report {

namespace {

constexpr std::size_t kLongestReason = 160;
constexpr const char* kArrow = " \xE2\x86\x92 ";

const std::string& standing_of(const result::Result& result) {
  return result.summary.standing;
}

// By `standing`, where the answer is not a gain.
const std::map<std::string_view, const char*>& other_answers() {
  static const std::map<std::string_view, const char*> kAnswers = {
      {"undecided", "no proven gain: fresh pairs do not decide"},
      {"not-faster", "no gain: keep your settings"},
      {"nothing-faster", "no gain: keep your settings"},
      {"provisional", "no proven gain yet"},
      {"too-few-pairs", "no proven gain yet"},
      {"baseline-only", "no other setting to compare with"},
      {"baseline-failed", "the baseline failed"},
      {"nothing-measured", "nothing was measured"}};
  return kAnswers;
}

std::optional<double> epoch_seconds(const result::Result& result, const result::Side& side) {
  const auto& samples = result.environment.data.samples;
  const auto& rate = side.throughput.value;
  const bool is_known = samples && *samples > 0 && rate && std::isfinite(*rate) && *rate > 0;
  return is_known ? std::optional(static_cast<double>(*samples) / *rate) : std::nullopt;
}

bool changes_knob(const result::Side& side, std::string_view knob) {
  return std::any_of(side.changed.begin(), side.changed.end(), [&](const auto& changed) {
    return changed.first == knob;
  });
}

std::string without_full_stop(std::string text) {
  if (text.ends_with('.')) {
    text.pop_back();
  }
  return text;
}

std::string run_words(const std::string& command, const result::Result& result) {
  const std::string& directory = result.provenance.directory;
  return directory.empty() ? command : command + " " + command_line({directory});
}

// The command that continues it, which without the time would find its budget used up.
std::string resume_words(const result::Result& result) {
  const std::string& time = result.provenance.resume_time;
  return run_words("tune run --resume", result) + (time.empty() ? "" : " --time " + time);
}

// "11 of 13 trials were disturbed: other processes used 0.45 of 2 CPUs", where most were.
std::string busy_words(const result::Result& result) {
  std::size_t measured = 0, disturbed = 0;
  std::string first;
  for (const result::Trial& trial : result.provenance.trials) {
    measured += trial.is_measured ? 1 : 0;
    disturbed += trial.disturbance.empty() ? 0 : 1;
    if (first.empty()) {
      first = trial.disturbance.substr(0, trial.disturbance.find(" in "));
    }
  }
  return 2 * disturbed > measured ? std::to_string(disturbed) + " of " + std::to_string(measured) +
                                        " trials were disturbed: " + first
                                  : "";
}

}  // namespace

const ObjectiveWords& words_of(const result::Result& result) {
  const auto& objective = result.summary.objective;
  return objective_words(objective ? objective->metric : "");
}

std::string rates_words(const result::Result& result) {
  const result::Number &now = result.summary.baseline.throughput,
                       &then = result.summary.best.side.throughput;
  if (!now.value || !then.value) {
    return "";
  }
  const auto& objective = result.summary.objective;
  const bool has_both = objective && objective->baseline.value && objective->best.value;
  return (has_both ? change_words(words_of(result), objective->best, objective->baseline) + ", "
                   : "") +
         number_text(*then.value) + " against " + number_text(*now.value) + " samples/s";
}

std::string short_answer(const result::Result& result) {
  const result::Best& best = result.summary.best;
  if (is_proven(result) && best.gain.value) {
    const auto count = static_cast<std::int64_t>(best.side.changed.size());
    const ObjectiveWords& words = words_of(result);
    return sure_faster_text(best.gain, words) +
           (words.metric.empty() ? "" : std::string(" in ") + words.name) + ": change " +
           counted(count, "setting");
  }
  const auto other = other_answers().find(standing_of(result));
  return other == other_answers().end() ? "no proven gain" : other->second;
}

Mood mood_of_answer(const result::Result& result) {
  const std::string& standing = standing_of(result);
  return is_proven(result)                                                 ? Mood::good
         : standing == "baseline-failed" || standing == "nothing-measured" ? Mood::bad
                                                                           : Mood::undecided;
}

std::string proof_words(const result::Result& result) {
  const result::Best& best = result.summary.best;
  if (!has_fresh_pairs(result)) {
    return "";
  }
  std::string text = rates_words(result);
  text += (text.empty() ? "gain " : ", gain ") + gain_interval_text(best.gain) + " in " +
          counted(best.pairs, "fresh pair");
  return best.gain.lower && best.gain.confidence
             ? text + ", " + confidence_text(*best.gain.confidence) + " confidence"
             : text;
}

std::string epoch_words(const result::Result& result) {
  const auto now = epoch_seconds(result, result.summary.baseline);
  const auto then = epoch_seconds(result, result.summary.best.side);
  return is_proven(result) && now && then
             ? format_seconds(*now) + kArrow + format_seconds(*then) + " (" +
                   grouped(*result.environment.data.samples) + " samples" +
                   (result.script ? ", training only" : "") +
                   (changes_knob(result.summary.best.side, "preload")
                        ? "; the first one also reads them all into memory)"
                        : ")")
             : "";
}

Trust trust_in(const result::Result& result) {
  const std::vector<std::string> doubts = doubts_about(result);
  if (result.summary.best.verdict == "REFUTED") {
    return {"good",
            counted(result.summary.best.pairs, "fresh pair") + " show that it is not " +
                words_of(result).better,
            "keep your settings"};
  }
  const std::string busy = busy_words(result);
  if (!is_proven(result) && !busy.empty()) {
    return {"low",
            busy,
            "end the other work, then " +
                (result.provenance.complete ? std::string("run it again") : resume_words(result))};
  }
  if (!is_proven(result)) {
    const std::string doubt = shortened(doubt_of(result), kLongestReason);
    const std::string action =
        standing_of(result) == "baseline-failed" ? "mend the baseline, then start a new run"
        : !result.provenance.complete            ? resume_words(result)
                                      : "measure again on an idle machine, or with a larger --time";
    return {"low", doubt.empty() ? "fresh pairs did not confirm a gain" : doubt, action};
  }
  const std::string pairs = counted(result.summary.best.pairs, "fresh pair") + " confirmed it";
  if (!busy.empty()) {  // both sides were, but not alike: threads that wait for one another suffer
    return {"low", pairs, "repeat it when nothing else runs: the gain may come from that", busy};
  }
  if (doubts.empty()) {
    return {"good", pairs + ", nothing disturbed them", "apply the change"};
  }
  return {"fair",
          pairs,
          doubts.size() == 1
              ? "repeat on an idle machine before you rely on the size of the gain"
              : "read the " + std::to_string(doubts.size()) +
                    " warnings of the report before you rely on the size of the gain",
          without_full_stop(shortened(doubts.front(), kLongestReason))};
}

}  // namespace tune::report
