// The begin of a run's reports: what a reader needs without scrolling.

#include "base/text.h"
#include "base/units.h"
#include "report/headline.h"
#include "report/knob_code.h"
#include "report/launch_line.h"
#include "report/number_text.h"
#include "report/run_sections.h"
#include "report/run_words.h"
#include "report/script_words.h"
#include "report/short_answer.h"
#include "report/trial_steps.h"
#include "trial/knob_catalog.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tune::report {

namespace {

constexpr std::size_t kMostChanges = 4, kLongestDoubt = 160, kLongestKnob = 28;
constexpr std::size_t kLongestDescription = 300, kLongestName = 120, kLongestHeadline = 1'000;
constexpr std::size_t kMostNotes = 3, kMostFoldedNotes = 20, kLongestNote = 800;

Card how_much(const result::Result& result) {
  const result::Best& best = result.summary.best;
  Card fact{.name = std::string("How much ") + words_of(result).better};
  if (has_fresh_pairs(result) && !is_proven(result)) {
    fact.values = {"no proven gain"};
    fact.detail = gain_interval_text(best.gain) + " in " + counted(best.pairs, "fresh pair");
    return fact;
  }
  if (has_fresh_pairs(result)) {
    fact.values = {sure_gain_text(best.gain)};
    fact.detail = rates_words(result);
    return fact;
  }
  const result::Cell* const cell = best_of(result);
  if (cell != nullptr && cell->gain.value) {
    fact.values = {"no proven gain yet"};
    fact.detail = gain_text(*cell->gain.value) + " in the " + cell->window +
                  " only, which flatters the best of many";
  } else {
    fact.values = {"not known"};
    fact.detail = shortened(doubt_of(result), kLongestDoubt);
  }
  return fact;
}

Card how_sure(const result::Result& result) {
  Card fact{.name = "How sure"};
  if (!has_fresh_pairs(result)) {
    fact.values = {"not confirmed"};
    fact.detail = shortened(doubt_of(result), kLongestDoubt);
    return fact;
  }
  const result::Best& best = result.summary.best;
  fact.values = {best.verdict.empty() ? "not decided yet" : shortened(best.verdict, kLongestKnob)};
  fact.detail = gain_interval_text(best.gain);
  if (best.gain.lower && best.gain.confidence) {
    fact.detail += " at " + confidence_text(*best.gain.confidence) + " confidence";
  }
  fact.detail += ", " + counted(best.pairs, "fresh pair");
  return fact;
}

std::string value_in(const result::Setting& setting, const std::string& knob) {
  const auto found = std::find_if(
      setting.begin(), setting.end(), [&](const auto& each) { return each.first == knob; });
  return found == setting.end() ? "not set" : trial::to_text(found->second);
}

// "num_workers: 2 (was 0)", no longer than the three facts have room for, which have to end on the
// first screen.
std::vector<std::string> changes_of(const result::Cell& best, const result::Cell& baseline) {
  std::vector<std::string> changes;
  for (const auto& [knob, value] : best.changed) {
    changes.push_back(shortened(knob, kLongestKnob) + ": " +
                      shortened(trial::to_text(value), kLongestKnob) + " (was " +
                      shortened(value_in(baseline.knobs, knob), kLongestKnob) + ")");
  }
  return changes;
}

Card what_to_change(const result::Result& result) {
  Card fact{.name = "What to change"};
  const result::Cell *const best = best_of(result), *const baseline = baseline_of(result);
  if (best == nullptr || baseline == nullptr) {
    fact.values = {"nothing yet"};
    return fact;
  }
  std::vector<std::string> changes = changes_of(*best, *baseline);
  const std::size_t all = changes.size();
  changes.resize(std::min(all, kMostChanges));
  if (is_proven(result) && all > 0) {
    fact.values = std::move(changes);
  } else {
    fact.values = {"nothing is proven to pay"};
    fact.detail = "the best tried:" + (changes.empty() ? "" : " " + joined(changes));
  }
  if (all > kMostChanges) {
    fact.detail += (fact.detail.empty() ? "and " : " and ") + std::to_string(all - kMostChanges) +
                   " more, below";
  }
  return fact;
}

constexpr const char* kArrow = " \xE2\x86\x92 ";  // "to" would read as a range

// "58.3 -> 166.6" of the baseline and the best, one of them where there is no other.
template <class Thing, class Text>
std::string from_to(const Thing* baseline, const Thing* best, Text text) {
  const std::string now = baseline == nullptr ? "not measured" : text(*baseline);
  return best == nullptr ? now : now + kArrow + text(*best);
}

Card rate_tile(const result::Result& result) {
  const auto side_of = [](const result::Side& side) { return side.cell.empty() ? nullptr : &side; };
  const bool is_undecided = has_fresh_pairs(result) && !is_proven(result);
  const result::Side* const now = side_of(result.summary.baseline);
  const result::Side* const best = is_undecided ? nullptr : side_of(result.summary.best.side);
  const auto value = [](const result::Side& side) { return number_text(side.throughput.value); };
  const auto interval = [](const result::Side& side) {
    return side.throughput.value ? interval_text(side.throughput) : "no interval";
  };
  const result::Cell* const baseline = baseline_of(result);
  const std::string stage = has_fresh_pairs(result) ? "fresh pairs"
                            : baseline == nullptr   ? "no trial"
                                                    : baseline->window;
  return {"throughput, samples/s",
          {from_to(now, best, value)},
          from_to(now, best, interval) + ", " + stage};
}

std::string seconds_text(std::optional<double> seconds) {
  return seconds && std::isfinite(*seconds) ? format_seconds(*seconds) : "not measured";
}

// A step where both settings take as many samples at once, else a sample.
Card step_tile(const campaign::CampaignResult& run, const Conclusion& conclusion) {
  constexpr double kSameSize = 0.01;
  const auto spread_of = [&](const campaign::CellResult* cell) {
    return cell == nullptr ? std::nullopt : step_spread(run, *cell);
  };
  const auto now = spread_of(conclusion.baseline), best = spread_of(conclusion.best);
  const bool of_sample =
      now && best && std::fabs(best->samples_per_step / now->samples_per_step - 1) > kSameSize;
  const auto text = [&](double StepSpread::*seconds) {
    const auto of = [&](const std::optional<StepSpread>& spread) {
      const double parts = spread && of_sample ? spread->samples_per_step : 1;
      return seconds_text(spread ? std::optional<double>((*spread).*seconds / parts)
                                 : std::nullopt);
    };
    return conclusion.best == nullptr ? of(now) : of(now) + kArrow + of(best);
  };
  std::string detail = "p99: " + text(&StepSpread::p99_s);
  if (of_sample) {
    detail += "; steps of " + grouped(std::llround(now->samples_per_step)) + kArrow +
              grouped(std::llround(best->samples_per_step)) + " samples";
  }
  return {of_sample ? "time of a step per sample, median" : "step time, median",
          {text(&StepSpread::median_s)},
          detail};
}

// Single steps, which the run directory knows.
void add_step_tiles(const campaign::CampaignResult& run, std::vector<Card>& tiles) {
  const Conclusion conclusion = conclude(run);
  const auto first_step = [&](const campaign::CellResult& cell) {
    return seconds_text(time_to_first_step_s(run, cell));
  };
  tiles.push_back(step_tile(run, conclusion));
  tiles.push_back({"time to first step",
                   {from_to(conclusion.baseline, conclusion.best, first_step)},
                   "from the start of the process, baseline to best"});
}

std::vector<Card> tiles_of(const Run& run) {
  const result::Result& result = run.result;
  const result::Cell *const baseline = baseline_of(result), *const best = best_of(result);
  const auto metric = [&](std::string_view id) {
    const MetricByCell found(result, id);
    return from_to(baseline, best, [&found](const result::Cell& cell) {
      return found.text(cell.id, "not measured");
    });
  };
  std::vector<Card> tiles = {rate_tile(result)};
  if (run.directory != nullptr) {
    add_step_tiles(*run.directory, tiles);
  }
  tiles.push_back(
      {"peak memory", {metric("peak_memory_bytes")}, "the most of any trial, baseline to best"});
  tiles.push_back(
      {"waiting for data", {metric("data_wait_ratio")}, "of the step, baseline to best"});
  return tiles;
}

// The few that a comment has room for, and some more by a click.
void add_notes(const std::vector<std::string>& doubts, Section& section) {
  List notes, more;
  for (std::size_t i = 0; i < std::min(doubts.size(), kMostNotes + kMostFoldedNotes); ++i) {
    List& list = i < kMostNotes ? notes : more;
    list.items.push_back("Warning: " + shortened(doubts[i], kLongestNote));
  }
  section.add(std::move(notes), kInMarkdown);
  if (!more.items.empty()) {
    const auto count = static_cast<std::int64_t>(doubts.size() - kMostNotes);
    section.add(Folded{counted(count, "more warning"), {{std::move(more)}}}, kInMarkdown);
  }
}

// Grade, reason and action in a sentence.
std::string trust_words(const result::Result& result) {
  const Trust trust = trust_in(result);
  // The page has the warning itself just below.
  return "Can I trust this? " + trust.grade + ": " + trust.reason +
         (trust.doubt.empty() ? "" : ", with a warning (below)") + "; " + trust.action + ".";
}

// "An epoch: 58.5s → 35.1s."; "" where its length is not known.
std::string epoch_sentence(const result::Result& result) {
  const std::string epoch = epoch_words(result);
  return epoch.empty() ? "" : " An epoch: " + epoch + ".";
}

// In which form a script was given the best setting, and what it does to the numbers.
List lines_of_best_pairs(const result::Result& result) {
  const PairWords words = words_of_best_pairs(result);
  List list;
  for (const std::string& line : {words.form.empty() ? "" : "Fresh pairs: ran " + words.form,
                                  words.losses.empty() ? "" : "Losses: " + words.losses}) {
    if (!line.empty()) {
      list.items.push_back(shortened(line, kLongestNote));
    }
  }
  return list;
}

}  // namespace

Section run_answer_section(const Run& run) {
  const result::Result& result = run.result;
  const std::string& name = result.scenario.name;
  const std::vector<std::string> doubts = doubts_about(result);
  Section section{
      .title = "tune report: " + (name.empty() ? "no name" : shortened(name, kLongestName)),
      .is_begin = true};
  if (!result.scenario.description.empty()) {
    section.add(Sentence{.text = shortened(result.scenario.description, kLongestDescription),
                         .is_quiet = true},
                kInHtml);
  }
  section.add(Headline{short_answer(result), mood_of_answer(result)}, kInHtml | kInMarkdown)
      .add(Sentence{shortened(headline_text(result), kLongestHeadline) + epoch_sentence(result)},
           kInHtml)
      .add(Sentence{shortened(headline_text(result), kLongestNote) + epoch_sentence(result)},
           kInMarkdown)
      .add(Sentence{trust_words(result)}, kInHtml | kInMarkdown)
      .add(Sentence{effort(result) + "."}, kInMarkdown)
      .add(Cards{{how_much(result), how_sure(result), what_to_change(result)}, Cards::Kind::facts},
           kInHtml)
      .add(Doubts{doubts}, kInHtml);
  add_notes(doubts, section);
  section.add(Cards{tiles_of(run)}, kInHtml);
  const std::string& started = result.provenance.started;
  section.add(Sentence{.text = effort(result) +
                               (started.empty() ? "" : ", started " + one_line(started)) + ".",
                       .is_quiet = true},
              kInHtml);
  return run.directory != nullptr
             ? section
             : section.add(Sentence{.text = what_is_missing(result), .is_quiet = true},
                           kInMarkdown | kInHtml);
}

namespace {

// As a rule would name it: "SGD"; "" where no rule was asked, or the class is not known.
std::string optimizer_class(const result::Result& result) {
  const auto fact =
      std::find_if(result.facts.begin(), result.facts.end(), [](const result::Evidence& each) {
        return each.metric == "optimizer_class";
      });
  return fact == result.facts.end() ? "" : result::value_text(fact->value);
}

}  // namespace

Section run_change_section(const Run& run) {
  Section section{.title = "What to change"};
  const result::Cell *const best = best_of(run.result), *const baseline = baseline_of(run.result);
  if (best == nullptr || baseline == nullptr) {
    return section;
  }
  if (!is_proven(run.result)) {
    section.add(Sentence{"The best setting found, for the record; it is not a proven gain."},
                kInHtml);
  }
  if (const std::string launch = launch_answer(run.result); !launch.empty()) {
    section.add(Sentence{is_proven(run.result) ? "The launch line, to be copied:" : "Launch line:"})
        .add(Code{launch});
  }
  Table table{.caption = "Knobs of the best setting that differ from the baseline",
              .columns = {{"knob"}, {"baseline"}, {"best setting"}}};
  for (const auto& [knob, value] : best->changed) {
    table.rows.push_back({one_line(knob),
                          one_line(value_in(baseline->knobs, knob)),
                          one_line(trial::to_text(value))});
    if (run.result.script) {
      table.rows.back().push_back(place_of_knob(run.result, knob));
    }
  }
  if (run.result.script) {
    table.columns.push_back({"where"});
  }
  const CodeContext context{.device = run.result.environment.device,
                            .optimizer = optimizer_class(run.result)};
  Ways ways{{{"YAML", setting_patch(best->changed, baseline->knobs)},
             {"Python", setting_code(best->changed, context, Language::python)},
             {"C++", setting_code(best->changed, context, Language::cpp)}}};
  if (run.result.script) {
    ways.ways.pop_back();
    return section.add(std::move(table), kInMarkdown | kInHtml)
        .add(lines_of_best_pairs(run.result), kInMarkdown | kInHtml)
        .add(std::move(ways), kInHtml);
  }
  std::string patch = setting_patch(best->changed, baseline->knobs);
  if (!patch.empty()) {
    patch.pop_back();  // a code block ends its last line itself
    section.add(Code{std::move(patch)}, kInMarkdown);
  }
  return section.add(std::move(ways), kInHtml);
}

}  // namespace tune::report
