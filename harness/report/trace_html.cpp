#include "report/trace_html.h"

#include "report/html_page.h"
#include "report/trace_sections.h"

namespace tune::report {

std::string to_trace_html(const TraceAnalysis& analysis) {
  PageParts parts{.title = "tune analyze: " + trace_name(analysis),
                  .tune_version = analysis.tune_version};
  for (const auto section : {trace_answer_section,
                             trace_time_section,
                             trace_advice_section,
                             trace_utilisation_section,
                             trace_steps_section,
                             trace_operators_section,
                             trace_kernels_section,
                             trace_copies_section,
                             trace_memory_section,
                             trace_phases_section,
                             trace_unknown_section,
                             trace_method_section,
                             trace_reproduce_section}) {
    parts.sections.push_back(section(analysis));
  }
  return html_page(parts);
}

}  // namespace tune::report
