// Sections that show what was measured.

#include "report/cell_times.h"
#include "report/confirmation_text.h"
#include "report/gain_plot.h"
#include "report/headline.h"
#include "report/html_parts.h"
#include "report/html_sections.h"
#include "report/html_table.h"
#include "report/latency_text.h"
#include "report/number_text.h"
#include "report/phase_bars.h"
#include "report/ranked_table.h"

namespace tune::report {

namespace {

using campaign::CampaignResult;
using campaign::CellResult;
using Align = RankedTable::Align;

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

Markup confirmation_section(const CampaignResult& result) {
  Markup html;
  const auto lines = confirmation_lines(result);
  if (lines.empty()) {
    return html;
  }
  html.section("Fresh pairs").open("ul").line();
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

Markup gains_section(const CampaignResult& result) {
  Markup html;
  html.section("Gains and how sure they are");
  if (const auto plot = gain_plot(result)) {
    html.open("figure", {{"class", "scroll"}, {"tabindex", "0"}}).append(*plot);
    html.leaf("figcaption",
              "Mark: median against the baseline of the same round; in bold, of the fresh pairs. "
              "Line: its interval. A setting that ran in one round has none, so how sure its mark "
              "is cannot be told. The numbers are in the table below.");
    html.close().line();
    if (result.cells.size() > kMostPlotted + 1) {
      html.append(paragraph("Only the first " + std::to_string(kMostPlotted) +
                            " settings are drawn; the table below goes on."));
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
  html.section("Where the time goes");
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
  html.append(bullets(latency_lines(result)));
  html.close().line();
  return html;
}

}  // namespace tune::report
