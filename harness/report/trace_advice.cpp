// What the rules say of a trace.

#include "report/render_blocks.h"
#include "report/run_advice.h"
#include "report/trace_sections.h"

namespace tune::report {

Markup trace_advice_section(const TraceAnalysis& analysis) {
  if (analysis.diagnosis == nullptr) {
    return {};
  }
  const result::Result result = trace_advice(analysis);
  Section section{.title = "Recommendations"};
  add_recommendation_cards({result}, 0, section);
  add_findings(result, "", section);
  return to_markup(section);
}

}  // namespace tune::report
