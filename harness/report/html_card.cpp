#include "report/html_card.h"

#include "campaign/objective.h"
#include "campaign/verification.h"
#include "report/card_effects.h"
#include "report/card_evidence.h"
#include "report/diagnosis_text.h"
#include "report/gain_parts_text.h"
#include "report/head_room.h"
#include "report/html_parts.h"
#include "report/html_table.h"
#include "report/number_text.h"
#include "report/page_detail.h"
#include "report/recorded_steps.h"
#include "report/run_facts.h"
#include "report/table_html.h"
#include "report/timeline_strip.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace tune::report {

namespace {

using advice::MeasuredGain;
using advice::Recommendation;
using campaign::CampaignResult;
using campaign::CellResult;

constexpr std::size_t kLongestText = 2'000;

const char* tone_of(const Recommendation& recommendation) {
  if (!recommendation.measured) {
    return "chip unsure";
  }
  switch (recommendation.measured->verdict) {
    case MeasuredGain::Verdict::confirmed:
      return "chip better";
    case MeasuredGain::Verdict::refuted:
      return "chip worse";
    case MeasuredGain::Verdict::ambiguous:
      return "chip unsure";
  }
  return "chip unsure";
}

std::string joined(const std::vector<std::string>& texts, const char* between) {
  std::string all;
  for (const std::string& text : texts) {
    all += all.empty() ? "" : between;
    all += text;
  }
  return all;
}

// The setting that differs from the baseline by this change alone; null where none ran.
const CellResult* cell_of(const CampaignResult& result, const Recommendation& recommendation) {
  const trial::KnobSettings change = campaign::change_of(recommendation);
  const auto found =
      std::find_if(result.cells.begin(), result.cells.end(), [&](const CellResult& cell) {
        return !change.empty() && cell.cell.changed == change;
      });
  return found == result.cells.end() ? nullptr : &*found;
}

/// One line of a card: a name, and what there is to say of it.
void field(Markup& html, const char* name, const std::string& text) {
  if (!text.empty()) {
    html.leaf("dt", name).leaf("dd", shortened(text, kLongestText)).line();
  }
}

void link_field(Markup& html, const char* name, const std::vector<std::string>& addresses) {
  if (addresses.empty()) {
    return;
  }
  html.leaf("dt", name).open("dd");
  for (const std::string& address : addresses) {
    html.text(&address == &addresses.front() ? "" : " ").append(outside_link(address));
  }
  html.close().line();
}

std::string predicted_text(const Recommendation& recommendation) {
  const advice::PredictedGain& gain = recommendation.predicted;
  std::string text = gain_words(gain);
  text += gain.formula.empty() ? "" : "; " + gain.formula;
  text += std::string("; model ") + rule::to_text(gain.model);
  const std::string against = prediction_words(recommendation);
  return against.empty() ? text : text + "; measured: " + against;
}

/// What a card is about; `run` and `cell`, which has the change alone, are null where there is
/// none.
struct Subject {
  const advice::Diagnosis& diagnosis;
  const Recommendation& recommendation;
  const CampaignResult* run = nullptr;
  const CellResult* cell = nullptr;
};

void append_fields(const Subject& of, Markup& html) {
  html.open("dl", {{"class", "fields"}}).line();
  if (of.run != nullptr) {
    const std::vector<std::string> tested = tested_lines(of.recommendation);
    field(html, "Measured", tested.empty() ? "not tested" : joined(tested, "; "));
    field(html, "Side effects", side_effects(*of.run, of.cell));
  }
  field(html, "Predicted", predicted_text(of.recommendation));
  field(html, "Why", because_words(of.diagnosis, of.recommendation));
  html.close().line();
}

// "6-10": the numbers of the steps that a strip of the cell draws; "" where they have none.
std::string drawn_steps(const CampaignResult& result, const std::string& cell) {
  const profile::Partition* const partition = recorded_steps(result, cell);
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
std::string trace_commands(const CampaignResult& result, const std::vector<std::string>& cells) {
  std::string text;
  for (const campaign::ProfiledCell& profile : result.profiles) {
    const bool is_wanted = std::find(cells.begin(), cells.end(), profile.cell) != cells.end();
    if (!is_wanted || profile.file.empty()) {
      continue;
    }
    std::vector<std::string> words = {
        "tune", "trace", "open", result.directory.string(), "--cell", profile.cell};
    if (const std::string steps = drawn_steps(result, profile.cell); !steps.empty()) {
      words.insert(words.end(), {"--step", steps});
    }
    text += text.empty() ? "" : "\n";
    text += command_line(words);
  }
  return text;
}

Markup strip_of(const CampaignResult& result,
                const Recommendation& recommendation,
                const CellResult* cell,
                CardStrip strip) {
  const profile::Partition* const before = recorded_steps(result, "baseline");
  const profile::Partition* const after =
      cell == nullptr ? nullptr : recorded_steps(result, cell->cell.id);
  if (before == nullptr || after == nullptr) {
    return {};
  }
  const auto drawing = timeline_strips(
      {.id = "strip-" + recommendation.id,
       .strips = {{.label = "before: baseline", .partition = before},
                  {.label = "after: " + one_line(cell->cell.id), .partition = after}}});
  if (!drawing) {
    return {};
  }
  if (strip == CardStrip::left_out) {
    return paragraph(left_out_sentence("The recorded steps of this change", "the traces of both"));
  }
  Markup html = figure({*drawing},
                       "The steps nearest to the median, before and after, on one scale of time.");
  const std::string commands = trace_commands(result, {"baseline", cell->cell.id});
  return commands.empty() ? html
                          : html.append(paragraph("To see them in Perfetto:", "quiet"))
                                .append(preformatted(commands));
}

Markup named_code(const char* name, const std::string& code) {
  Markup html;
  if (!code.empty()) {
    html.append(paragraph(name, "quiet")).append(preformatted(code));
  }
  return html;
}

// Each way in a block of its own, to be copied in front of the command.
Markup environment_part(const std::vector<std::string>& ways) {
  Markup html;
  for (const std::string& assignments : ways) {
    const bool is_first = &assignments == &ways.front();
    html.append(
        named_code(is_first ? "In the environment of the program:" : "or:", one_line(assignments)));
  }
  return html;
}

Markup change_part(const Subject& of) {
  const Recommendation& recommendation = of.recommendation;
  const rule::Rule& rule = *recommendation.rule;
  Markup html;
  html.leaf("h5", "The change").line();
  html.append(named_code("In the scenario:", scenario_patch(recommendation)));
  html.append(named_code("C++ (LibTorch):", recommendation.cpp));
  html.append(named_code("Python:", rule.helps_python ? recommendation.python : ""));
  html.append(environment_part(recommendation.environment));
  if (!rule.change.text.empty()) {
    html.append(paragraph(rule.change.text));
  }
  if (of.run != nullptr && !recommendation.knobs.empty()) {
    const std::string directory = of.run->directory.string();
    html.append(named_code("To write it into the scenario, and to measure it by fresh pairs:",
                           command_line({"tune", "apply", rule.id, directory}) + "\n" +
                               command_line({"tune", "verify", rule.id, directory})));
  }
  return html;
}

const char* effort_of(const rule::Rule& rule) {
  return rule.guidance >= 3   ? "a setting"
         : rule.guidance == 2 ? "a change of code"
                              : "needs thought";
}

std::string names_of(const std::vector<rule::Related>& rules) {
  std::vector<std::string> ids;
  ids.reserve(rules.size());
  for (const rule::Related& related : rules) {
    ids.push_back(related.id);
  }
  return joined(ids, ", ");
}

void append_risks(const Subject& of, Markup& html) {
  const Recommendation& recommendation = of.recommendation;
  const rule::Rule& rule = *recommendation.rule;
  html.leaf("h5", "Risk, relations, how to verify").line();
  html.open("dl", {{"class", "fields"}}).line();
  field(html, "Numerics", rule.preserves_numerics ? "preserved" : "changed: compare the losses");
  if (of.run != nullptr) {
    field(html,
          "Memory",
          of.cell == nullptr ? "not measured for this change alone"
                             : head_room_text(*of.run, *of.cell));
  }
  field(html, "Effort", effort_of(rule));
  field(html,
        "Portability",
        rule.helps_python ? "helps a Python script as well"
                          : "LibTorch's own: a Python script gains nothing by it");
  field(html, "Risk", joined(recommendation.risks, " "));
  const bool has_broken = !recommendation.broken_constraints.empty();
  field(html,
        "Limits",
        has_broken ? campaign::constraint_text(recommendation.broken_constraints)
        : recommendation.breaks_a_limit ? "a rule that fired stands against it"
                                        : "");
  field(html, "Verify", rule.verify);
  field(html, "Explains", joined(recommendation.explains, ", "));
  field(html, "Explained by", names_of(rule.explained_by));
  field(html, "Mutes", names_of(rule.mutes));
  field(html, "Conflicts with", names_of(rule.conflicts));
  field(html, "Not proposed", joined(recommendation.rejected, "; "));
  link_field(html, "Read", rule.links);
  field(html,
        "Silence it",
        of.run != nullptr ? "rules: {" + rule.id + ": off} in the scenario" : "--skip " + rule.id);
  html.close().line();
}

void append_parts(const Recommendation& recommendation, Markup& html) {
  if (!recommendation.measured || !recommendation.measured->attribution) {
    return;
  }
  const std::string caption =
      recommendation.id + ": time of a sample by phase in the fresh pairs, baseline first";
  html.append(table_html(gain_parts_table(*recommendation.measured), caption));
}

// Up to the evidence, which is folded.
Markup begun_card(const Subject& of) {
  const Recommendation& recommendation = of.recommendation;
  const rule::Rule& rule = *recommendation.rule;
  Markup html;
  html.open("article", {{"class", "card"}, {"id", one_line(recommendation.id)}});
  html.leaf("h4", recommendation.id + ". " + rule.title).line();
  html.open("p");
  html.leaf("strong", chip_text(recommendation), {{"class", tone_of(recommendation)}}).text(" ");
  html.leaf("span",
            "rule " + rule.id + ", " + rule::to_text(recommendation.severity) + " severity, " +
                advice::to_text(recommendation.confidence) + " confidence",
            {{"class", "quiet"}});
  html.close().line();
  append_fields(of, html);
  return html.append(change_part(of));
}

Markup ended_card(Markup html, const Subject& of) {
  Markup more = evidence_part(of.diagnosis, of.recommendation);
  append_risks(of, more);
  html.append(folded("Evidence, risk, relations, how to verify", more));
  return html.close().line();
}

}  // namespace

std::string chip_text(const Recommendation& recommendation) {
  if (recommendation.measured) {
    return std::string(advice::to_text(recommendation.measured->verdict)) + " " +
           gain_text(recommendation.measured->value);
  }
  const advice::PredictedGain& gain = recommendation.predicted;
  if (!gain.is_known()) {
    return "NOT MEASURED";
  }
  const bool is_seen = gain.model == rule::Gain::Model::measured;
  return (is_seen ? "SEEN IN THE SEARCH " : "PREDICTED ") +
         range_text(gain.lower.value_or(*gain.upper), *gain.upper);
}

std::string scenario_patch(const Recommendation& recommendation) {
  std::string text;
  for (const advice::ProposedKnob& knob : recommendation.knobs) {
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

Markup recommendation_card(const CampaignResult& result,
                           const Recommendation& recommendation,
                           CardStrip strip) {
  const Subject of{.diagnosis = result.diagnosis->diagnosis,
                   .recommendation = recommendation,
                   .run = &result,
                   .cell = cell_of(result, recommendation)};
  Markup html = begun_card(of);
  html.append(strip_of(result, recommendation, of.cell, strip));
  append_parts(recommendation, html);
  return ended_card(std::move(html), of);
}

Markup recommendation_card(const advice::Diagnosis& diagnosis,
                           const Recommendation& recommendation) {
  const Subject of{.diagnosis = diagnosis, .recommendation = recommendation};
  return ended_card(begun_card(of), of);
}

}  // namespace tune::report
