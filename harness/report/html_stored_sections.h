#pragma once

#include "report/markup.h"
#include "report/page_detail.h"
#include "result/result.h"

namespace tune::report {

// The sections of a page that is made of result.json alone, in their order. Those about what a
// version did not record are not there.

/// Heading, headline, the three facts, what makes them worth less, what is missing in the page.
Markup stored_answer_section(const result::Result& record);
/// Exposed and overlapped parts of the recorded steps.
Markup stored_steps_section(const result::Result& record);
/// Recommendations with evidence, then what else the rules found.
Markup stored_advice_section(const result::Result& record);
Markup stored_pairs_section(const result::Result& record);
Markup stored_ranking_section(const result::Result& record, const PageDetail& detail);
Markup stored_failures_section(const result::Result& record, const PageDetail& detail);
Markup stored_metrics_section(const result::Result& record, const PageDetail& detail);
Markup stored_environment_section(const result::Result& record);
Markup stored_trials_section(const result::Result& record, const PageDetail& detail);
Markup stored_reproduce_section(const result::Result& record, const PageDetail& detail);

}  // namespace tune::report
