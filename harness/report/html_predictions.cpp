// The section of report.html about how good the predictions of the rules are.

#include "report/html_parts.h"
#include "report/html_sections.h"
#include "report/html_table.h"
#include "report/prediction_text.h"

#include <utility>

namespace tune::report {

namespace {

HtmlTable as_html(const std::string& caption, TextTable table) {
  HtmlTable html{.caption = caption, .columns = {}, .rows = std::move(table.rows)};
  html.columns.reserve(table.heading.size());
  for (std::size_t i = 0; i < table.heading.size(); ++i) {
    const bool is_text = i == 0 || (table.last_is_text && i + 1 == table.heading.size());
    html.columns.push_back({std::move(table.heading[i]),
                            is_text ? RankedTable::Align::left : RankedTable::Align::right});
  }
  return html;
}

}  // namespace

Markup predictions_section(const campaign::CampaignResult& result) {
  Markup html;
  if (!result.diagnosis) {
    return html;
  }
  const auto own = own_predictions(result);
  const advice::PredictionHistory history = predictions_until(result);
  html.section("How good the predictions are");
  html.append(own.empty() ? paragraph("No prediction of this run was measured by fresh pairs.")
                          : html_table(as_html("Predicted and measured gains of this run",
                                               judged_table(own))));
  html.append(paragraph(history_words(history) + ", this one included."));
  if (!history.predictions.empty()) {
    html.append(html_table(
        as_html("By rule, over this run and those before it", quality_table(history.predictions))));
    html.append(paragraph(quality_note()));
  }
  html.append(bullets(skipped_lines(history)));
  html.close().line();
  return html;
}

}  // namespace tune::report
