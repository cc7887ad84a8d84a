#pragma once

#include "report/analysis_json.h"
#include "report/block.h"
#include "report/trace_analysis.h"
#include "result/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace tune::report {

// The sections of an analysis' reports in their order; trace_pages.cpp says which report has which.
// Each says in words when it has nothing to show, or has no block.

/// Name, headline, tiles, what makes the numbers worth less.
Section trace_answer_section(const TraceAnalysis& analysis);
/// Roles with their exposed and overlapped time; the sum is the last row.
Section trace_parts_section(const TraceAnalysis& analysis);
/// Calls of the runtime by what they are for; no block when nothing was called.
Section trace_calls_section(const TraceAnalysis& analysis);
/// How to read both, and what is not in them: device work after the last step, what devices
/// did while the host was blocked, communication that nothing hides, what bounds the critical path
/// and the answer to --what-if, the longest silence of a device, numbers that the host waited for.
Section trace_remarks_section(const TraceAnalysis& analysis);
/// The script whose steps they are, what recording cost them, the lines that they are in; no block
/// of a trace that is somebody else's.
Section trace_script_section(const TraceAnalysis& analysis);
/// What the rules said, with the script's places; a rule must have been asked.
result::Result trace_advice(const TraceAnalysis& analysis);
Markup trace_advice_section(const TraceAnalysis& analysis);  ///< nothing where no rule was asked
/// Bars of the devices, and metrics: the few that a glance needs, and all besides the partition.
Section trace_utilisation_section(const TraceAnalysis& analysis);
Section trace_steps_section(const TraceAnalysis& analysis);
Section trace_operators_section(const TraceAnalysis& analysis);
Section trace_kernels_section(const TraceAnalysis& analysis);
Section trace_copies_section(const TraceAnalysis& analysis);
Section trace_memory_section(const TraceAnalysis& analysis);
Section trace_phases_section(const TraceAnalysis& analysis);
/// One line a reason, with the first metrics that it keeps from being known.
Section trace_unknown_section(const TraceAnalysis& analysis);
/// What the numbers mean, the file, what reading it left out or repaired.
Section trace_method_section(const TraceAnalysis& analysis);
Section trace_reproduce_section(const TraceAnalysis& analysis);

/// The file's name.
std::string trace_name(const TraceAnalysis& analysis);

/// "6 steps, 918 ms: kernel 63.2 %, data_loading 23.2 %, cpu_op 9.0 % of their time".
std::string trace_headline(const TraceAnalysis& analysis);

/// What to do first: "the GPU is idle 93.1 % of the time; first: launch ... (predicted ...)"; the
/// headline where no rule was asked.
std::string trace_answer_words(const TraceAnalysis& analysis);

/// "data_wait_ratio: no row is called enumerate(DataLoader)#...": what cannot be known, and why.
/// One line a reason; result.json has a reason for each metric.
std::vector<std::string> unknown_lines(const TraceAnalysis& analysis);

/// "75,718 rows, 35.1 MB of JSON (gzip) in 110 ms: 688,000 rows/s, 319 MB/s".
std::string reading_line(const TraceAnalysis& analysis);

/// The first rows of the operators (steps are none), by their own time on the host, and of the
/// kernels, by their time, with the few columns that an overview needs; only those that apply.
std::vector<Table> top_tables(const TraceAnalysis& analysis);

/// Null where it was not asked.
const metric::Metric* find_metric(const TraceAnalysis& analysis, std::string_view id);

// What pages of several traces say too.

/// What every analysis' numbers mean, and what they must not be taken for.
List analysis_method();
/// How to get this page again.
Section analysis_reproduce_section(const AnalysisRecord& record);
/// The first 100 lines, each cut; how many are missing is the last.
std::vector<std::string> shown_lines(std::vector<std::string> lines);

}  // namespace tune::report
