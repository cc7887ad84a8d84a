// On what a run was measured, and how to do it again.

#include "report/number_text.h"
#include "report/run_again.h"
#include "report/run_facts.h"
#include "report/run_sections.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace tune::report {

namespace {

constexpr std::size_t kMostTraces = 20, kHashDigits = 12, kLongestLine = 800;

constexpr std::array<std::pair<const char*, const char*>, 16> kWords = {
    {{"cell", "one combination of knob values; the baseline is what runs today"},
     {"trial", "one process that runs one cell once"},
     {"slice", "steps timed as one block; the device is waited for only at its edges"},
     {"measured window", "the slices that count; no profiler exists in it"},
     {"profiled window", "later steps of the same process, which are recorded"},
     {"round", "one pass over the cells in random order"},
     {"fresh pair", "a new process of the baseline and one of the candidate, in random order"},
     {"CONFIRMED", "faster by more than does not matter, by fresh pairs"},
     {"REFUTED", "at most as much faster as does not matter, by fresh pairs"},
     {"AMBIGUOUS", "the pairs that were run cannot tell"},
     {"interval", "where the true value is, with the given confidence"},
     {"exposed", "time at which this part ran and nothing more telling did"},
     {"overlapped", "time of a part that others hide; to shorten it gains nothing"},
     {"Pareto front",
      "settings of which no other is as fast with as little memory, or as little energy"},
     {"knee", "the smallest value that cannot be told from the fastest"},
     {"head-room", "memory that was left at the peak"}}};

// A command a trace, the first of them.
std::string trace_commands(const result::Result& result) {
  std::string text;
  std::size_t listed = 0;
  for (const result::Profile& profile : result.profiles) {
    if (!profile.file.empty() && listed++ < kMostTraces) {
      text += text.empty() ? "" : "\n";
      text += command_line({"tune", "trace", "open", profile.file});
    }
  }
  return text;
}

Folded scenario_part(const std::string& text, std::size_t most_bytes) {
  CutText shown = cut_text(text, most_bytes);
  Folded part{"The scenario, as it was run", {{Code{std::move(shown.text)}}}};
  if (!shown.remark.empty()) {
    part.blocks.push_back({Sentence{std::move(shown.remark)}});
  }
  return part;
}

Folded knobs_part(const result::Cell& baseline) {
  Table table{.caption = "Every knob of the baseline", .columns = {{"knob"}, {"value"}}};
  for (const auto& [name, value] : baseline.knobs) {
    table.rows.push_back({one_line(name), one_line(trial::to_text(value))});
  }
  return {"Every knob of the baseline", {{std::move(table)}}};
}

// The run directory knows it; else it is looked for in what was typed and written.
bool was_seed_drawn(const Run& run) {
  return run.directory != nullptr ? !run.directory->scenario.has_seed : is_seed_drawn(run.result);
}

std::string everything_sentence(const Run& run, const PageDetail& detail) {
  const std::string where = run.directory != nullptr ? "result.json next to it" : "result.json";
  return "Every number of this page, and more, is in " + where +
         (detail.has_data ? ", and in this page's element tune-result."
                          : "; that file is too large to be in this page as well.");
}

Glossary words_of_runs() {
  Glossary glossary;
  for (const auto& [word, meaning] : kWords) {
    glossary.words.push_back({word, meaning});
  }
  return glossary;
}

}  // namespace

Section run_environment_section(const Run& run) {
  Table table{.caption = "What makes two runs comparable", .columns = {{"fact"}, {"value"}}};
  for (const auto& [name, value] : environment_facts(run.result)) {
    table.rows.push_back({name, value});
  }
  Section section{.title = "Environment"};
  return section
      .add(Sentence{"Environment: " + shortened(environment_line(run.result), kLongestLine) + "."},
           kAsLines | kInMarkdown)
      .add(std::move(table), kInHtml);
}

Section run_reproduce_section(const Run& run, const PageDetail& detail) {
  const result::Result& result = run.result;
  const bool is_drawn = was_seed_drawn(run);
  const bool is_joined = run.directory != nullptr ? run.directory->scenario.joined_shards > 0
                                                  : !result.environment.hosts.empty();
  const std::string seed = seed_text(result.provenance) + (is_drawn ? ", drawn" : "");
  Section section{.title = "Run it again"};
  section.add(run_again(result,
                        {.seed = seed,
                         .is_asked_for = is_drawn && !is_joined,
                         .lead = "Run it again (seed " + seed + ", scenario " +
                                 shortened(result.scenario.sha256, kHashDigits) + "):"}));
  if (run.directory != nullptr) {
    section.add(Sentence{"To write this report again from the stored trials:"}, kInHtml)
        .add(Code{command_line({"tune", "report", run.directory->directory.string()})}, kInHtml);
  }
  section.add(scenario_part(result.scenario.text, detail.scenario_bytes), kInHtml);
  if (const result::Cell* const baseline = result.find_cell("baseline")) {
    section.add(knobs_part(*baseline), kInHtml);
  }
  if (std::string traces = trace_commands(result); !traces.empty()) {
    section.add(Sentence{"To see the recorded steps in Perfetto:"}, kInHtml)
        .add(Code{std::move(traces)}, kInHtml);
  }
  return section.add(Sentence{everything_sentence(run, detail)}, kInHtml)
      .add(Folded{"Words of this report", {{words_of_runs()}}}, kInHtml);
}

}  // namespace tune::report
