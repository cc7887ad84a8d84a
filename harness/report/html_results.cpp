// Sections that show what was measured.

#include "base/units.h"
#include "report/cell_times.h"
#include "report/confirmation_text.h"
#include "report/failures.h"
#include "report/gain_plot.h"
#include "report/headline.h"
#include "report/html_parts.h"
#include "report/html_sections.h"
#include "report/html_table.h"
#include "report/number_text.h"
#include "report/phase_bars.h"
#include "report/ranked_table.h"

namespace tune::report {

namespace {

using campaign::CampaignResult;
using campaign::CellResult;
using campaign::Estimate;
using Align = RankedTable::Align;

bool has_fresh_pairs(const Conclusion& conclusion) {
  return conclusion.standing == Standing::too_few_pairs ||
         conclusion.standing == Standing::undecided ||
         conclusion.standing == Standing::not_faster || conclusion.standing == Standing::faster;
}

std::string certainty(const Estimate& estimate, const char* unit) {
  std::string text = interval_text(estimate);
  if (estimate.lower && estimate.upper) {
    text += std::string(" ") + unit + " at " + confidence_text(estimate.confidence);
  }
  return text;
}

void gain_tile(Markup& html, const CampaignResult& result, const Conclusion& conclusion) {
  if (has_fresh_pairs(conclusion)) {
    const campaign::Confirmation& fresh = *result.confirmation;
    html.append(tile("gain over the baseline",
                     gain_text(fresh.gain.value),
                     gain_interval_text(fresh.gain) + ", " + counted(fresh.pairs, "fresh pair")));
  } else {
    html.append(tile("gain over the baseline", "not confirmed", conclusion.doubt));
  }
}

void rate_tiles(Markup& html, const CampaignResult& result, const Conclusion& conclusion) {
  const bool fresh = has_fresh_pairs(conclusion);
  const auto rate = [&](const char* name, const CellResult* cell, const Estimate* confirmed) {
    const Estimate* shown = confirmed;
    if (shown == nullptr && cell != nullptr && cell->throughput) {
      shown = &*cell->throughput;
    }
    if (shown == nullptr) {
      html.append(tile(name, "not measured", conclusion.doubt));
    } else {
      html.append(tile(name,
                       number_text(shown->value) + " samples/s",
                       certainty(*shown, "samples/s") + ", " + (fresh ? "fresh" : cell->stage)));
    }
  };
  rate("throughput, baseline",
       conclusion.baseline,
       fresh ? &result.confirmation->baseline : nullptr);
  rate("throughput, best setting", conclusion.best, fresh ? &result.confirmation->best : nullptr);
}

// "1.20 GiB" or "0.98 to 1.20 GiB", baseline first.
std::string memory_change(const Conclusion& conclusion) {
  const auto text = [](const CellResult* cell) {
    return cell != nullptr && cell->peak_memory_bytes ? format_bytes(*cell->peak_memory_bytes)
                                                      : std::string("not measured");
  };
  return conclusion.best == nullptr ? text(conclusion.baseline)
                                    : text(conclusion.baseline) + " to " + text(conclusion.best);
}

std::string wait_change(const CampaignResult& result, const Conclusion& conclusion) {
  const auto text = [&](const CellResult* cell) {
    const auto wait = cell == nullptr
                          ? std::nullopt
                          : estimate_of(cell_times(result, cell->cell.id).data_wait_ratios);
    return wait ? share_text(wait->value) : std::string("not measured");
  };
  return conclusion.best == nullptr ? text(conclusion.baseline)
                                    : text(conclusion.baseline) + " to " + text(conclusion.best);
}

std::vector<std::string> phase_row(const PhaseSplit& now, const PhaseSplit* best, std::size_t i) {
  const PhaseShare& before = now.parts[i];
  std::vector<std::string> row = {
      std::string(before.label), number_text(before.ms_per_sample), share_text(before.ratio)};
  if (best != nullptr) {
    const PhaseShare& after = best->parts[i];
    row.push_back(number_text(after.ms_per_sample));
    row.push_back(share_text(after.ratio));
    row.push_back(number_text(after.ms_per_sample - before.ms_per_sample));
  }
  return row;
}

Markup phase_table(const CellResult& baseline, const PhaseSplit& now, const PhaseBar* best) {
  const std::string name = "baseline";
  const std::string& stage = baseline.stage;
  HtmlTable table{
      .caption = "Time of one sample in ms, by the host's clock, over all rounds of the " + stage,
      .columns = {{"part"}, {name + ", ms", Align::right}, {name + ", share", Align::right}}};
  std::vector<std::string> total = {"sum", number_text(now.ms_per_sample), "100.0 %"};
  if (best != nullptr) {
    table.columns.push_back({best->label + ", ms", Align::right});
    table.columns.push_back({best->label + ", share", Align::right});
    table.columns.push_back({"difference, ms", Align::right});
    total.push_back(number_text(best->split.ms_per_sample));
    total.emplace_back("100.0 %");
    total.push_back(number_text(best->split.ms_per_sample - now.ms_per_sample));
  }
  for (std::size_t i = 0; i < now.parts.size(); ++i) {
    table.rows.push_back(phase_row(now, best == nullptr ? nullptr : &best->split, i));
  }
  table.rows.push_back(std::move(total));
  return html_table(table);
}

}  // namespace

Markup answer_section(const CampaignResult& result) {
  const Conclusion conclusion = conclude(result);
  Markup html;
  html.open("header").line();
  html.leaf("h1", "tune report: " + one_line(result.scenario.name)).line();
  if (!result.scenario.description.empty()) {
    html.append(paragraph(one_line(result.scenario.description), "quiet"));
  }
  html.leaf("p", headline(result), {{"class", "headline"}, {"id", "headline"}}).line();
  html.append(
      paragraph(effort(result) + ", started " + one_line(result.started_utc) + ".", "quiet"));
  html.open("dl", {{"class", "tiles"}}).line();
  gain_tile(html, result, conclusion);
  rate_tiles(html, result, conclusion);
  html.append(tile("peak memory", memory_change(conclusion), "of the process, baseline to best"));
  html.append(
      tile("waiting for data", wait_change(result, conclusion), "of the step, baseline to best"));
  html.close().line();
  html.append(trust_banner(warnings(result)));
  html.close().line();
  return html;
}

Markup confirmation_section(const CampaignResult& result) {
  Markup html;
  const auto lines = confirmation_lines(result);
  if (lines.empty()) {
    return html;
  }
  html.open("section").leaf("h2", "Fresh pairs").line().open("ul").line();
  for (const std::string& line : lines) {
    html.leaf("li", one_line(line)).line();
  }
  html.close().line();
  for (const campaign::Confirmation& row : result.confirmations) {
    HtmlTable table{.caption = "Looks at " + one_line(row.cell) +
                               ": nothing is decided between them, and each spends certainty",
                    .columns = {{"look"}}};
    for (const std::string& line : look_lines(row)) {
      table.rows.push_back({line});
    }
    if (!table.rows.empty()) {
      html.append(html_table(table));
    }
  }
  return html.close().line();
}

Markup change_section(const CampaignResult& result) {
  const Conclusion conclusion = conclude(result);
  Markup html;
  if (conclusion.best == nullptr || conclusion.baseline == nullptr) {
    return html;
  }
  html.open("section").leaf("h2", "What to change").line();
  if (conclusion.standing != Standing::faster) {
    html.append(paragraph("The best setting found, for the record; it is not a proven gain."));
  }
  HtmlTable table{.caption = "Knobs of the best setting that differ from the baseline",
                  .columns = {{"knob"}, {"baseline"}, {"best setting"}}};
  const auto& now = conclusion.baseline->cell.knobs;
  for (const auto& [name, value] : conclusion.best->cell.changed) {
    const auto before = now.find(name);
    table.rows.push_back(
        {one_line(name),
         before == now.end() ? "not set" : one_line(trial::to_text(before->second)),
         one_line(trial::to_text(value))});
  }
  html.append(html_table(table)).close().line();
  return html;
}

Markup ranking_section(const CampaignResult& result) {
  const RankedTable ranked = ranked_table(result);
  Markup html;
  html.open("section").leaf("h2", "Settings, ranked").line();
  HtmlTable table{.caption = "Every setting of the search, best first",
                  .columns = ranked.columns,
                  .heading = 1};
  for (const RankedTable::Row& row : ranked.rows) {
    table.rows.push_back(row.texts);
    table.row_classes.emplace_back(row.is_best                               ? "best"
                                   : row.kind == RankedTable::Kind::baseline ? "baseline"
                                   : row.kind == RankedTable::Kind::failed   ? "failed"
                                                                             : "");
  }
  html.append(html_table(table)).append(paragraph(ranked.note, "quiet")).close().line();
  return html;
}

Markup gains_section(const CampaignResult& result) {
  Markup html;
  html.open("section").leaf("h2", "Gains and how sure they are").line();
  if (const auto plot = gain_plot(result)) {
    html.open("figure", {{"class", "scroll"}, {"tabindex", "0"}}).append(*plot);
    html.leaf("figcaption",
              "Dot: median gain in samples per second. Line: its interval. The numbers are in the "
              "table below.");
    html.close().line();
    if (result.cells.size() > kMostPlotted + 1) {
      html.append(paragraph("Only the best " + std::to_string(kMostPlotted) +
                            " settings are drawn; the table has all."));
    }
  } else {
    html.append(paragraph("No setting has a measured gain: " + conclude(result).doubt + "."));
  }
  html.close().line();
  return html;
}

Markup time_section(const CampaignResult& result) {
  const Conclusion conclusion = conclude(result);
  Markup html;
  html.open("section").leaf("h2", "Where the time goes").line();
  const auto now =
      conclusion.baseline == nullptr ? std::nullopt : phase_split(result, *conclusion.baseline);
  if (!now) {
    html.append(paragraph("The phases of the baseline were not measured."));
    html.close().line();
    return html;
  }
  std::vector<PhaseBar> bars = {{"baseline", *now}};
  if (conclusion.best != nullptr) {
    if (const auto best = phase_split(result, *conclusion.best)) {
      bars.push_back({one_line(conclusion.best->cell.id), *best});
    }
  }
  html.open("figure", {{"class", "scroll"}, {"tabindex", "0"}}).append(phase_bars(bars));
  html.leaf("figcaption",
            "Parts of a step by the host's clock, per sample, because batch sizes differ. They sum "
            "to the whole step.");
  html.close().line();
  html.append(phase_table(*conclusion.baseline, *now, bars.size() > 1 ? &bars.back() : nullptr));
  html.close().line();
  return html;
}

}  // namespace tune::report
