#include "report/trace_html.h"

#include "report/html_page.h"
#include "report/trace_sections.h"

namespace tune::report {

std::string to_trace_html(const TraceAnalysis& analysis) {
  Markup body;
  for (const auto section : {trace_answer_section,
                             trace_time_section,
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
    body.append(section(analysis));
  }
  return html_page("tune analyze: " + trace_name(analysis), analysis.tune_version, body);
}

}  // namespace tune::report
