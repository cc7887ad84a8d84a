#include "report/prediction_report.h"

#include "report/markdown.h"
#include "report/prediction_text.h"

namespace tune::report {

std::string predictions_markdown(const campaign::CampaignResult& result) {
  if (!result.diagnosis) {
    return "";
  }
  const auto own = own_predictions(result);
  const advice::PredictionHistory history = predictions_until(result);
  std::string text = own.empty() ? "No prediction of this run was measured by fresh pairs.\n"
                                 : to_markdown(judged_table(own));
  text += "\n" + escape_markdown(history_words(history)) + ", this one included.\n";
  if (!history.predictions.empty()) {
    text += "\n" + to_markdown(quality_table(history.predictions)) + "\n";
    text += escape_markdown(quality_note()) + "\n";
  }
  for (const std::string& line : skipped_lines(history)) {
    text += "\n- " + escape_markdown(line);
  }
  return history.skipped.empty() ? text : text + "\n";
}

}  // namespace tune::report
