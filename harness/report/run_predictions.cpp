// How good the predictions of the rules are.

#include "report/prediction_text.h"
#include "report/run_sections.h"

#include <string>
#include <utility>

namespace tune::report {

Section run_predictions_section(const Run& run) {
  Section section{.title = "How good the predictions are"};
  if (!run.result.prediction_quality) {
    return section;
  }
  const result::PredictionQuality& quality = *run.result.prediction_quality;
  Table own = judged_table(own_predictions(quality));
  if (own.rows.empty()) {
    section.add(Sentence{"No prediction of this run was measured by fresh pairs."},
                kInMarkdown | kInHtml);
  } else {
    own.caption = "Predicted and measured gains of this run";
    section.add(std::move(own), kInMarkdown | kInHtml);
  }
  section.add(Sentence{history_words(quality) + ", this one included."}, kInMarkdown | kInHtml);
  if (!quality.predictions.empty()) {
    Table by_rule = quality_table(quality);
    by_rule.caption = "By rule, over this run and those before it";
    section.add(std::move(by_rule), kInMarkdown | kInHtml)
        .add(Sentence{quality_note()}, kInMarkdown | kInHtml);
  }
  return section.add(List{skipped_lines(quality)}, kInMarkdown | kInHtml);
}

}  // namespace tune::report
