// Gains with their intervals.

#include "report/run_charts.h"
#include "report/run_sections.h"
#include "report/run_words.h"

#include <string>

namespace tune::report {

Section run_gains_section(const Run& run, const PageDetail& detail) {
  Section section{.title = "Gains and how sure they are"};
  const auto plot = gain_plot(run.result);
  if (!plot) {
    return section.add(Sentence{"No setting has a measured gain: " + doubt_of(run.result) + "."},
                       kInHtml);
  }
  if (!detail.has_plots) {
    return section.add(Sentence{left_out_sentence("Drawings", "a larger page")}, kInHtml);
  }
  section.add(
      Figure{{*plot},
             "Mark: median against the baseline of the same round; in bold, of the fresh pairs. "
             "Line: its interval. A setting that ran in one round has none, so how sure its mark "
             "is cannot be told. The numbers are in the table below."},
      kInHtml);
  if (run.result.cells.size() > kMostPlotted + 1) {
    section.add(Sentence{"Only the first " + std::to_string(kMostPlotted) +
                         " settings are drawn; the table below has all."},
                kInHtml);
  }
  return section;
}

}  // namespace tune::report
