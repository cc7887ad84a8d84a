// What a run saw of the user's own script, and what became of each knob in it.

#include "base/text.h"
#include "base/units.h"
#include "report/number_text.h"
#include "report/run_sections.h"
#include "report/run_words.h"
#include "report/script_words.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace tune::report {

namespace {

using result::TriedKnob;

constexpr std::size_t kLongestText = 2'000, kMostKnobs = 200, kMostNotes = 40;

void add_fact(Glossary& facts, const char* name, const std::string& text) {
  if (!text.empty()) {
    facts.words.push_back({name, shortened(text, kLongestText)});
  }
}

std::string versions_of(const result::Result& result) {
  const std::string& python = result.script->python;
  const std::string& torch = result.environment.worker.torch_version;
  return joined({python.empty() ? "" : "Python " + python, torch.empty() ? "" : "torch " + torch});
}

std::string seconds_of(std::optional<double> seconds) {
  return seconds.value_or(0) > 0 ? format_seconds(*seconds) : "none";
}

// Trials end with their window: what a script does at its own end is not seen.
std::string outside_of(const result::ScriptTime& time) {
  if (time.trials == 0) {
    return "";
  }
  return "evaluation " + seconds_of(time.evaluation) + ", checkpoints " +
         seconds_of(time.checkpoints) + ", pauses between epochs " + seconds_of(time.pauses) +
         ", beside " + seconds_of(time.steps) + " of steps in " + counted(time.trials, "trial") +
         " of the baseline";
}

Glossary facts_of(const result::Result& result) {
  const result::Script& script = *result.script;
  Glossary facts;
  add_fact(facts, "Command", script.command_words());
  add_fact(facts, "Folder", script.folder);
  add_fact(facts, "Runs with", versions_of(result));
  add_fact(facts, "Processes that train", script.ranks > 1 ? std::to_string(script.ranks) : "");
  add_fact(facts, "DataLoader", script.places_of("loader"));
  add_fact(facts, "Optimizer", script.places_of("optimizer"));
  add_fact(facts, "Forward call", script.places_of("forward"));
  add_fact(facts, "Backward call", script.places_of("backward"));
  add_fact(facts, "By itself", settings_words(script.observed));
  add_fact(facts, "Outside of steps", outside_of(script.time));
  return facts;
}

std::string outcome_of(const TriedKnob& knob) {
  return knob.state == "option" ? "by the script's option" : knob.state;
}

// One row for all cells that say the same.
Table knobs_of(const result::Result& result) {
  using Key = std::tuple<std::string, std::string, std::string, std::string>;
  std::map<Key, std::pair<std::int64_t, std::int64_t>> rows;  // cells, trials
  for (const TriedKnob& knob : result.script->knobs) {
    const std::string value = knob.value ? result::value_text(*knob.value) : "";
    auto& [cells, trials] = rows[{knob.knob, value, outcome_of(knob), knob.why}];
    ++cells;
    trials += knob.trials;
  }
  Table table{.caption = "What became of each knob that was tried",
              .columns = {{"knob"},
                          {"value"},
                          {"outcome"},
                          {"why"},
                          {"where"},
                          {"cells", Table::Align::right},
                          {"trials", Table::Align::right}},
              .row_word = "knob"};
  for (const auto& [key, counts] : rows) {
    if (table.rows.size() == kMostKnobs) {
      ++table.left_out;
      continue;
    }
    const auto& [knob, value, outcome, why] = key;
    table.rows.push_back({one_line(knob),
                          shortened(value, kLongestText),
                          one_line(outcome),
                          shortened(why, kLongestText),
                          place_of_knob(result, knob),
                          std::to_string(counts.first),
                          std::to_string(counts.second)});
  }
  return table;
}

}  // namespace

Section run_script_section(const Run& run) {
  Section section{.title = "Your script"};
  if (!run.result.script) {
    return section;
  }
  const result::Script& script = *run.result.script;
  section.add(facts_of(run.result), kInMarkdown | kInHtml);
  if (Table knobs = knobs_of(run.result); !knobs.rows.empty()) {
    section.add(std::move(knobs), kInMarkdown | kInHtml)
        .add(Sentence{.text = "Applied: in effect after the warm-up. Ignored: not in effect. "
                              "Resisted: in effect, although the script sets another value.",
                      .is_quiet = true},
             kInMarkdown | kInHtml);
  }
  List notes;
  for (std::size_t i = 0; i < std::min(script.notes.size(), kMostNotes); ++i) {
    notes.items.push_back("Note: " + shortened(script.notes[i], kLongestText));
  }
  return notes.items.empty() ? section : section.add(std::move(notes), kInMarkdown | kInHtml);
}

}  // namespace tune::report
