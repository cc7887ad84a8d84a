#pragma once

#include "report/markup.h"
#include "report/trace_analysis.h"

#include <string>

namespace tune::report {

// The sections of an analysis' report.html in their order. Each is complete in itself and says in
// words when it has nothing to show.

Markup trace_answer_section(const TraceAnalysis& analysis);  ///< heading, headline, tiles, trust
Markup trace_time_section(const TraceAnalysis& analysis);
Markup trace_advice_section(const TraceAnalysis& analysis);  ///< nothing where no rule was asked
Markup trace_utilisation_section(const TraceAnalysis& analysis);
Markup trace_steps_section(const TraceAnalysis& analysis);
Markup trace_operators_section(const TraceAnalysis& analysis);
Markup trace_kernels_section(const TraceAnalysis& analysis);
Markup trace_copies_section(const TraceAnalysis& analysis);
Markup trace_memory_section(const TraceAnalysis& analysis);
Markup trace_phases_section(const TraceAnalysis& analysis);
Markup trace_unknown_section(const TraceAnalysis& analysis);
Markup trace_method_section(const TraceAnalysis& analysis);
Markup trace_reproduce_section(const TraceAnalysis& analysis);

/// The file's name.
std::string trace_name(const TraceAnalysis& analysis);

}  // namespace tune::report
