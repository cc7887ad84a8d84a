// Sections that say what was not run, on what, and how to do it again.

#include "base/units.h"
#include "campaign/disturbance.h"
#include "report/failures.h"
#include "report/html_glossary.h"
#include "report/html_parts.h"
#include "report/html_sections.h"
#include "report/html_table.h"
#include "report/method_text.h"
#include "report/number_text.h"
#include "report/render_blocks.h"
#include "report/run_again.h"
#include "report/run_facts.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tune::report {

namespace {

using campaign::CampaignResult;
using Align = RankedTable::Align;

constexpr std::size_t kMostTraces = 20;

// "steady", "weak", "clock: the CPU clock fell by ..."; "" of a trial that is not judged.
std::string steadiness_text(const campaign::TrialRecord& trial) {
  if (!trial.steadiness) {
    return "";
  }
  const campaign::Steadiness& found = *trial.steadiness;
  return found.label() + (found.is_steady() ? "" : ": " + found.why());
}

Markup trial_list(const CampaignResult& result, std::size_t most) {
  HtmlTable table{.caption = "Every trial in the order run; each was a process of its own",
                  .columns = {{"trial"},
                              {"stage"},
                              {"round", Align::right},
                              {"cell"},
                              {"outcome"},
                              {"duration", Align::right},
                              {"steady state"},
                              {"disturbance"}}};
  const std::size_t listed = std::min(result.trials.size(), most);
  for (std::size_t i = 0; i < listed; ++i) {
    const campaign::TrialRecord& trial = result.trials[i];
    table.rows.push_back({trial.spec.id,
                          trial.stage,
                          std::to_string(trial.round),
                          trial.spec.cell,
                          std::string(runner::name(trial.outcome.kind)),
                          format_time(trial.outcome.end_ns - trial.outcome.start_ns),
                          steadiness_text(trial),
                          campaign::disturbance_text(trial)});
  }
  Markup html = html_table(table);
  if (listed < result.trials.size()) {
    html.append(paragraph("The other " + std::to_string(result.trials.size() - listed) +
                          " trials are in result.json."));
  }
  return html;
}

// A command a trace, the first of them.
std::string trace_list(const CampaignResult& result) {
  std::string text;
  std::size_t listed = 0;
  for (const campaign::ProfiledCell& profile : result.profiles) {
    if (!profile.file.empty() && listed++ < kMostTraces) {
      text += text.empty() ? "" : "\n";
      text += command_line({"tune", "trace", "open", profile.file.string()});
    }
  }
  return text;
}

Markup scenario_part(const std::string& text, std::size_t most_bytes) {
  const CutText shown = cut_text(text, most_bytes);
  Markup inside = preformatted(shown.text);
  if (!shown.remark.empty()) {
    inside.append(paragraph(shown.remark));
  }
  return folded("The scenario, as it was run", inside);
}

Markup knob_list(const trial::KnobSettings& knobs) {
  HtmlTable table{.caption = "Every knob of the baseline", .columns = {{"knob"}, {"value"}}};
  for (const auto& [name, value] : knobs) {
    table.rows.push_back({one_line(name), one_line(trial::to_text(value))});
  }
  return html_table(table);
}

// What the first of them wrote last; each opens by a click.
Markup tails_of(const std::vector<Failure>& failures, std::size_t most) {
  Markup html;
  std::size_t shown = 0, left_out = 0;
  for (const Failure& failure : failures) {
    if (failure.stderr_tail.empty()) {
      continue;
    }
    if (shown == most) {
      ++left_out;
      continue;
    }
    ++shown;
    html.append(folded("Last lines of " + failure.trial + " (" + failure.cell + ")",
                       preformatted(failure.stderr_tail)));
  }
  return left_out == 0 ? html
                       : html.append(paragraph(left_out_sentence(
                             "The last lines of " +
                                 counted(static_cast<std::int64_t>(left_out), "more failed trial"),
                             "stderr.log of each")));
}

}  // namespace

Markup failures_section(const CampaignResult& result, const PageDetail& detail) {
  const auto found = failures(result);
  Markup html;
  html.section("What failed");
  if (found.empty()) {
    html.append(paragraph(result.trials.empty() ? "No trial was run."
                                                : "Every setting that ran completed every trial."));
  } else {
    const std::size_t listed = std::min(found.size(), detail.settings);
    HtmlTable table{
        .caption = "Settings of which trials failed",
        .columns = {{"cell"}, {"setting"}, {"outcome"}, {"reason"}, {"first failed trial"}}};
    for (std::size_t i = 0; i < listed; ++i) {
      const Failure& failure = found[i];
      table.rows.push_back({failure.cell,
                            failure.setting,
                            failure.outcome,
                            failure.reason,
                            failure.trial.empty() ? "none" : failure.trial});
    }
    html.append(html_table(table)).append(rest_in_json(found.size() - listed, "setting"));
    html.append(tails_of(found, std::min(listed, detail.tails)));
  }
  html.close().line();
  return html;
}

Markup unmeasured_section(const CampaignResult& result, const PageDetail& detail) {
  const auto found = unmeasured(result);
  Markup html;
  if (found.empty()) {
    return html;
  }
  const std::size_t listed = std::min(found.size(), detail.settings);
  HtmlTable table{.caption = "Settings that no trial was run of",
                  .columns = {{"cell"}, {"setting"}, {"reason"}}};
  for (std::size_t i = 0; i < listed; ++i) {
    table.rows.push_back({found[i].cell, found[i].setting, found[i].reason});
  }
  html.section("Not measured").append(html_table(table));
  return html.append(rest_in_json(found.size() - listed, "setting")).close().line();
}

Markup skipped_section(const CampaignResult& result) {
  const scenario::Plan& plan = result.plan;
  Markup html;
  html.section("What was not tried");
  html.append(paragraph("The full grid has " + counted(plan.grid_cells, "combination") + "; " +
                        std::to_string(plan.cells.size()) +
                        " different ones remain on this machine, the baseline included."));
  if (!plan.collapsed.empty()) {
    HtmlTable table{.caption = "Knobs that cannot matter here; equal cells are run once",
                    .columns = {{"knob"}, {"reason"}, {"combinations saved", Align::right}}};
    for (const scenario::CollapsedKnob& knob : plan.collapsed) {
      table.rows.push_back(
          {one_line(knob.knob), one_line(knob.reason), std::to_string(knob.cells)});
    }
    html.append(html_table(table));
  }
  if (!plan.forbidden.empty()) {
    HtmlTable table{.caption = "Combinations that the scenario forbids",
                    .columns = {{"expression"}, {"combinations", Align::right}}};
    for (const scenario::ForbiddenCells& forbidden : plan.forbidden) {
      table.rows.push_back({one_line(forbidden.text), std::to_string(forbidden.cells)});
    }
    html.append(html_table(table));
  }
  html.close().line();
  return html;
}

Markup environment_section(const CampaignResult& result) {
  HtmlTable table{.caption = "What makes two runs comparable", .columns = {{"fact"}, {"value"}}};
  for (const auto& [name, value] : environment_facts(result)) {
    table.rows.push_back({name, value});
  }
  Markup html;
  html.section("Environment").append(html_table(table)).close().line();
  return html;
}

Markup method_section(const CampaignResult& result, const PageDetail& detail) {
  const scenario::Scenario& scenario = result.scenario;
  const trial::Measure& measure = scenario.measure;
  Markup html;
  html.section("How it was measured").open("ul").line();
  const auto item = [&](const std::string& text) { html.leaf("li", text).line(); };
  item("Every trial is a fresh process. It warms up for at least " +
       counted(measure.warmup_steps, "step") + " and " + format_time(measure.warmup_ns) +
       ", then " + counted(measure.slices, "slice") + " of at least " +
       format_time(measure.slice_ns) + " and " + counted(measure.slice_steps, "step") +
       " are timed. Throughput is samples divided by wall time over all of them, so every stall "
       "counts. No profiler is present.");
  item(scenario.strategy == "grid"
           ? "The search runs every setting and the baseline " + counted(scenario.rounds, "time") +
                 ", in an order that is random in each round (seed " + std::to_string(result.seed) +
                 (result.scenario.has_seed ? "" : ", drawn") + ")."
           : "The search (" + scenario.strategy + ", seed " + std::to_string(result.seed) +
                 (result.scenario.has_seed ? "" : ", drawn") +
                 ") runs blocks of settings in random order, the baseline in each; first trials "
                 "are short, those that may matter are repeated.");
  item(
      "A gain of the search is the ratio to the baseline of the same round, minus 1. The best "
      "settings then run in fresh rounds with the baseline, in random order and its reverse. Only "
      "these are printed as gains: the best of many settings looks better in the search than it "
      "is. They are looked at a few times that were fixed before; all looks together may err with "
      "a probability of 2.5 %.");
  item(
      "Values of the search are medians with exact order statistics of the median, which assume "
      "nothing about the distribution; those of the fresh pairs are Hodges-Lehmann estimates with "
      "exact signed-rank bounds. The confidence beside them is what they cover.");
  for (const std::string& line : method_lines(result)) {
    item(one_line(line));
  }
  html.close().line();
  html.leaf("h3", "What is easily read wrongly").line().append(pitfalls());
  html.append(folded("All trials", trial_list(result, detail.trials))).close().line();
  return html;
}

Markup reproduce_section(const CampaignResult& result, const PageDetail& detail) {
  const scenario::Scenario& scenario = result.scenario;
  Markup html;
  html.section("Run it again");
  html.append(to_markup(
      run_again({.command = repeat_command(result),
                 .overrides = result.overrides,
                 .seed = std::to_string(result.seed) + (scenario.has_seed ? "" : ", drawn"),
                 .scenario_file = scenario.file.string(),
                 .scenario_sha256 = scenario.sha256,
                 .version = result.tune_version,
                 .commit = result.commit})));
  html.append(paragraph("To write this report again from the stored trials:"));
  html.append(preformatted(command_line({"tune", "report", result.directory.string()})));
  html.append(scenario_part(scenario.text, detail.scenario_bytes));
  html.append(folded("Every knob of the baseline", knob_list(scenario.baseline)));
  if (const std::string traces = trace_list(result); !traces.empty()) {
    html.append(paragraph("To see the recorded steps in Perfetto:"));
    html.append(preformatted(traces));
  }
  html.append(paragraph(detail.has_data
                            ? "Every number of this page, and more, is in result.json beside it, "
                              "and in this page's element tune-result."
                            : "Every number of this page, and more, is in result.json beside it; "
                              "that file is too large to be in this page as well."));
  html.append(glossary());
  html.close().line();
  return html;
}

}  // namespace tune::report
