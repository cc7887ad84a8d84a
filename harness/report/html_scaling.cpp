// The section of report.html about ordered knobs: how far more of them pays.

#include "report/headline.h"
#include "report/html_parts.h"
#include "report/html_sections.h"
#include "report/html_table.h"
#include "report/number_text.h"
#include "report/scaling.h"
#include "report/scaling_plot.h"

#include <algorithm>

namespace tune::report {

namespace {

using Align = RankedTable::Align;

constexpr std::size_t kMostAxes = 6, kMostRows = 40;

HtmlTable numbers(const ScalingAxis& axis) {
  const std::string knob = one_line(axis.knob);
  HtmlTable table{.caption = knob + ", all other knobs as in " + one_line(axis.centre->cell.id),
                  .columns = {{knob},
                              {"cell"},
                              {"samples/s", Align::right},
                              {"interval", Align::right},
                              {"efficiency", Align::right},
                              {"remark"}}};
  const std::size_t rows = std::min(axis.points.size(), kMostRows);
  for (std::size_t i = 0; i < rows; ++i) {
    const ScalingPoint& point = axis.points[i];
    std::string remark = i == axis.best ? "fastest" : "";
    if (i == axis.knee) {
      remark += remark.empty() ? "knee" : ", knee";
    }
    table.rows.push_back({std::to_string(point.value),
                          one_line(point.cell->cell.id),
                          number_text(point.rate.value),
                          interval_text(point.rate),
                          point.efficiency ? share_text(*point.efficiency) : "",
                          remark});
  }
  return table;
}

}  // namespace

Markup scaling_section(const campaign::CampaignResult& result) {
  Markup html;
  const std::vector<ScalingAxis> axes = scaling_axes(result);
  if (axes.empty()) {
    return html;
  }
  html.section("Scaling");
  std::vector<std::string> sentences;
  std::vector<Markup> drawings;
  const std::size_t drawn = std::min(axes.size(), kMostAxes);
  for (std::size_t i = 0; i < drawn; ++i) {
    sentences.push_back(knee_sentence(axes[i]));
    drawings.push_back(scaling_plot(axes[i], "scaling-" + std::to_string(i)));
  }
  html.append(bullets(sentences));
  html.append(figure(drawings,
                     "Line: medians over the rounds; band: their intervals. The knee is the "
                     "smallest value whose interval reaches that of the fastest. Values stand at "
                     "equal distances."));
  for (std::size_t i = 0; i < drawn; ++i) {
    html.append(html_table(numbers(axes[i])));
    if (axes[i].points.size() > kMostRows) {
      html.append(paragraph("The first " + std::to_string(kMostRows) + " of " +
                            std::to_string(axes[i].points.size()) +
                            " values; all stand among the settings."));
    }
  }
  return html.close().line();
}

}  // namespace tune::report
