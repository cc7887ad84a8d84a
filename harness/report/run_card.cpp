#include "report/run_card.h"

#include "base/text.h"
#include "measure/campaign/objective.h"
#include "report/card_effects.h"
#include "report/diagnosis_text.h"
#include "report/gain_parts_text.h"
#include "report/headline.h"
#include "report/number_text.h"
#include "report/recorded_steps.h"
#include "report/run_facts.h"
#include "report/run_words.h"
#include "report/script_words.h"
#include "report/timeline_strip.h"
#include "trial/knob_catalog.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace tune::report {

namespace {

using result::Recommendation;

constexpr std::size_t kLongestText = 2'000, kLongestEvidence = 400, kMostExamples = 3;

/// What a card is about; `cell` has the change alone, null where none ran.
struct Subject {
  const Run& run;
  const Recommendation& recommendation;
  const result::Cell* cell = nullptr;

  /// A trace can neither be tested nor run again.
  bool is_of_run() const { return run.result.kind == "run"; }
};

/// One line of a card: a name, and what there is to say of it.
void add_field(Glossary& fields, const char* name, const std::string& text) {
  if (!text.empty()) {
    fields.words.push_back({name, shortened(text, kLongestText)});
  }
}

std::string predicted_text(const Recommendation& recommendation) {
  const result::PredictedGain& gain = recommendation.predicted;
  const std::string& against = recommendation.against_prediction;
  const std::string text = !gain.gain.value ? "unknown: " + gain.gain.reason
                           : gain.model == "measured"
                               ? "seen in the search: " + range_text(gain.gain)
                               : range_text(gain.gain);
  return text + (against.empty() ? "" : "; measured: " + against);
}

Glossary gain_fields(const Subject& of) {
  Glossary fields;
  if (of.is_of_run()) {
    const std::vector<std::string> tested = tested_lines(of.recommendation);
    const std::string words = tested.empty() ? "not tested" : joined(tested, "; ");
    constexpr std::string_view kName = "measured ";  // which the field has already
    add_field(fields, "Measured", words.starts_with(kName) ? words.substr(kName.size()) : words);
    add_field(fields, "Side effects", side_effects(of.run, of.cell));
    add_field(fields, "Losses", losses_words(of.run.result, of.recommendation));
  }
  add_field(fields, "Where", places_of(of.run.result, of.recommendation));
  if (of.is_of_run()) {  // that of a trace is its verdict, which the card begins with
    add_field(fields, "Predicted", predicted_text(of.recommendation));
  }
  add_field(fields, "Change", result::change_text(of.recommendation.change));
  add_field(fields, "Why", because_words(of.run.result, of.recommendation));
  return fields;
}

void add_code(Section& card, const std::string& name, const std::string& code) {
  if (!code.empty()) {
    card.add(Sentence{.text = name, .is_quiet = true}, kInHtml).add(Code{code}, kInHtml);
  }
}

void add_change(const Subject& of, Section& card) {
  const Recommendation& recommendation = of.recommendation;
  const result::Change& change = recommendation.change;
  card.add(Heading{.text = "The change", .is_inner = true}, kInHtml);
  add_code(card, "In the scenario:", scenario_patch(recommendation));
  add_code(card, "C++ (LibTorch):", change.cpp);
  add_code(card, "Python:", recommendation.transfers == "cpp" ? "" : change.python);
  // Each way in a block of its own, to be copied in front of the command.
  for (const std::string& assignments : change.environment) {
    const bool is_first = &assignments == &change.environment.front();
    add_code(card, is_first ? "In the environment of the program:" : "or:", one_line(assignments));
  }
  if (!change.text.empty()) {
    card.add(Sentence{change.text}, kInHtml);
  }
  const std::string& directory = of.run.result.provenance.directory;
  if (of.is_of_run() && !directory.empty() && !change.knobs.empty()) {
    add_code(card,
             of.run.result.script
                 ? "To see the change of the script, and to measure it:"
                 : "To write it into the scenario, and to measure it by fresh pairs:",
             command_line({"tune", "apply", recommendation.rule, directory}) + "\n" +
                 command_line({"tune", "verify", recommendation.rule, directory}));
  }
}

// "6-10": the numbers of the steps that a strip of the cell draws; "" where they have none.
std::string drawn_steps(const campaign::CampaignResult& run, const std::string& cell) {
  const profile::Partition* const partition = recorded_steps(run, cell);
  const auto drawn = partition == nullptr ? std::nullopt : strip_steps(*partition);
  if (!drawn) {
    return "";
  }
  const auto& steps = partition->steps.steps;
  const auto first = steps[drawn->first].number;
  const auto last = steps[drawn->first + drawn->count - 1].number;
  if (!first || !last) {
    return "";
  }
  return *first == *last ? std::to_string(*first)
                         : std::to_string(*first) + "-" + std::to_string(*last);
}

// The commands that open what the strips draw in Perfetto, "" of a cell without a trace.
std::string trace_commands(const campaign::CampaignResult& run,
                           const std::vector<std::string>& cells) {
  std::string text;
  for (const campaign::ProfiledCell& profile : run.profiles) {
    const bool is_wanted = std::find(cells.begin(), cells.end(), profile.cell) != cells.end();
    if (!is_wanted || profile.file.empty()) {
      continue;
    }
    std::vector<std::string> words = {
        "tune", "trace", "open", run.directory.string(), "--cell", profile.cell};
    if (const std::string steps = drawn_steps(run, profile.cell); !steps.empty()) {
      words.insert(words.end(), {"--step", steps});
    }
    text += text.empty() ? "" : "\n";
    text += command_line(words);
  }
  return text;
}

void add_strip(const Subject& of, CardStrip strip, Section& card) {
  const campaign::CampaignResult* const run = of.run.directory;
  if (run == nullptr || of.cell == nullptr) {
    return;
  }
  const std::string& cell = of.cell->id;
  const profile::Partition* const before = recorded_steps(*run, "baseline");
  const profile::Partition* const after = recorded_steps(*run, cell);
  if (before == nullptr || after == nullptr) {
    return;
  }
  const auto drawing = timeline_strips(
      {.id = "strip-" + of.recommendation.id,
       .strips = {{.label = "before: baseline", .partition = before},
                  {.label = "after: " + setting_words(*of.cell), .partition = after}}});
  if (!drawing) {
    return;
  }
  if (strip == CardStrip::left_out) {
    card.add(Sentence{left_out_sentence("The recorded steps of this change", "the traces of both")},
             kInHtml);
    return;
  }
  card.add(Figure{{*drawing},
                  "The steps nearest to the median, before and after, on one scale of time."},
           kInHtml);
  add_code(card, "To see them in Perfetto:", trace_commands(*run, {"baseline", cell}));
}

void add_parts(const Recommendation& recommendation, Section& card) {
  Table table = gain_parts_table(recommendation.measured);
  if (!table.rows.empty()) {
    table.caption =
        recommendation.id + ": time of a sample by phase in the fresh pairs, baseline first";
    card.add(std::move(table), kInHtml);
  }
}

std::string examples_text(const result::Evidence& evidence) {
  std::string text;
  for (std::size_t i = 0; i < std::min(evidence.examples.size(), kMostExamples); ++i) {
    text += text.empty() ? "" : "; ";
    text += shortened(evidence.examples[i].name, 60);
  }
  return text;
}

// Each value with what it was compared with and where it comes from, then the rule's condition
// with the numbers filled in, part by part: true, false, or why that cannot be said.
void add_evidence(const Subject& of, Section& more) {
  const result::Finding* const finding = finding_of(of.run.result, of.recommendation.rule);
  if (finding == nullptr) {
    return;
  }
  more.add(Heading{.text = "Evidence", .is_inner = true});
  const result::PredictedGain& gain = of.recommendation.predicted;
  Glossary formulas;
  add_field(formulas, "Rule", finding->expression);
  add_field(formulas, "Prediction", gain.formula);
  add_field(formulas, "Model", gain.model);
  more.add(std::move(formulas));
  Table table{.caption = one_line(of.recommendation.id) + ": what it stands on",
              .columns = {{"metric"},
                          {"value", Table::Align::right},
                          {"compared with", Table::Align::right},
                          {"source"},
                          {"window"},
                          {"examples"}}};
  for (const result::Evidence& evidence : finding->evidence) {
    table.rows.push_back({one_line(evidence.metric),
                          shortened(value_words(evidence), kLongestEvidence),
                          shortened(limit_words(evidence), kLongestEvidence),
                          one_line(evidence.source),
                          one_line(evidence.window),
                          examples_text(evidence)});
  }
  if (!table.rows.empty()) {
    more.add(std::move(table));
  }
  more.add(List{finding->parts});
}

const char* effort_of(std::int64_t guidance) {
  return guidance >= 3 ? "a setting" : guidance == 2 ? "a change of code" : "needs thought";
}

std::string limits_of(const Recommendation& recommendation) {
  const auto& broken = recommendation.broken_constraints;
  return !broken.empty()                 ? campaign::constraint_text(broken)
         : recommendation.breaks_a_limit ? "a rule that fired stands against it"
                                         : "";
}

void add_risks(const Subject& of, Section& more) {
  const Recommendation& recommendation = of.recommendation;
  Glossary fields;
  add_field(fields,
            "Numerics",
            recommendation.numerics == "preserving" ? "preserved" : "changed: compare the losses");
  if (of.is_of_run()) {
    add_field(fields, "Memory", memory_room(of.run, of.cell));
  }
  add_field(fields, "Effort", effort_of(recommendation.guidance));
  add_field(fields,
            "Portability",
            recommendation.transfers != "cpp"
                ? "helps a Python script as well"
                : "LibTorch's own: a Python script gains nothing by it");
  add_field(fields, "Risk", joined(recommendation.risks, " "));
  add_field(fields, "Limits", limits_of(recommendation));
  add_field(fields, "Verify", recommendation.verify);
  add_field(fields, "Explains", joined(recommendation.explains));
  add_field(fields, "Explained by", joined(recommendation.explained_by));
  add_field(fields, "Mutes", joined(recommendation.mutes));
  add_field(fields, "Conflicts with", joined(recommendation.conflicts));
  add_field(fields, "Not proposed", joined(recommendation.rejected, "; "));
  if (!recommendation.links.empty()) {
    fields.words.push_back({"Read", joined(recommendation.links, "\n"), true});
  }
  add_field(fields,
            "Silence it",
            of.is_of_run() ? "rules: {" + recommendation.rule + ": off} in the scenario"
                           : "--skip " + recommendation.rule);
  more.add(Heading{.text = "Risk, relations, how to verify", .is_inner = true})
      .add(std::move(fields));
}

Mood mood_of(const Recommendation& recommendation) {
  return recommendation.verdict == "CONFIRMED" ? Mood::good
         : recommendation.verdict == "REFUTED" ? Mood::bad
                                               : Mood::undecided;
}

// For Markdown, where little has room.
List short_lines(const Subject& of) {
  constexpr std::size_t kLongestLine = 600;
  List list{{gain_words(of.recommendation.predicted)}};
  const auto add = [&list](const std::vector<std::string>& lines) {
    list.items.insert(list.items.end(), lines.begin(), lines.end());
  };
  add(tested_lines(of.recommendation));
  add(change_lines(of.recommendation));
  if (const std::string losses = losses_words(of.run.result, of.recommendation); !losses.empty()) {
    add({"losses " + losses});
  }
  if (const std::string places = places_of(of.run.result, of.recommendation); !places.empty()) {
    add({"at " + places});
  }
  list.items.push_back("because " + because_words(of.run.result, of.recommendation));
  for (std::string& line : list.items) {
    line = shortened(line, kLongestLine);
  }
  return list;
}

}  // namespace

std::string chip_text(const Recommendation& recommendation) {
  if (const auto& measured = recommendation.measured.gain.value) {
    return (recommendation.verdict.empty() ? "MEASURED" : recommendation.verdict) + " " +
           gain_text(*measured);
  }
  const result::PredictedGain& gain = recommendation.predicted;
  if (!gain.gain.value) {
    return "NOT MEASURED";
  }
  return (gain.model == "measured" ? "SEEN IN THE SEARCH " : "PREDICTED ") + range_text(gain.gain);
}

std::string scenario_patch(const Recommendation& recommendation) {
  std::string text;
  for (const result::KnobChange& knob : recommendation.change.knobs) {
    const std::string name = one_line(knob.name);
    if (!knob.to) {
      text += "#  " + name + ": cannot be computed here (" + one_line(knob.reason) + ")\n";
      continue;
    }
    text += knob.from.empty() ? "" : "-  " + name + ": " + one_line(knob.from) + "\n";
    text += "+  " + name + ": " + one_line(trial::to_text(*knob.to)) + "\n";
  }
  return text.empty() ? "" : "   baseline:\n" + text;
}

Article recommendation_card(const Run& run, const Recommendation& recommendation, CardStrip strip) {
  const Subject of{
      .run = run, .recommendation = recommendation, .cell = cell_with(run.result, recommendation)};
  Section card, more;
  card.add(short_lines(of), kInMarkdown).add(gain_fields(of), kInHtml);
  Section change;
  add_change(of, change);
  if (!change.blocks.empty()) {
    card.add(Folded{"The change, as code", std::move(change.blocks)}, kInHtml);
  }
  add_strip(of, strip, card);
  add_parts(recommendation, card);
  add_evidence(of, more);
  add_risks(of, more);
  card.add(Folded{"Evidence, risk, relations, how to verify", std::move(more.blocks)}, kInHtml);
  return {.id = recommendation.id,
          .title = recommendation.id + ". " + recommendation.title,
          .name = recommendation.rule,
          .verdict = chip_text(recommendation),
          .mood = mood_of(recommendation),
          .remark = "rule " + recommendation.rule + ", " + recommendation.severity + " severity, " +
                    recommendation.confidence + " confidence",
          .blocks = std::move(card.blocks)};
}

}  // namespace tune::report
