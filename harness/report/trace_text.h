#pragma once

#include "report/text_table.h"
#include "report/trace_analysis.h"

#include <string>
#include <vector>

namespace tune::report {

// What terminal, report.md and report.html say about a trace, in the same words.

/// From here on the TensorBoard plugin and Nsight call a device well used.
constexpr double kHealthyBusyRatio = 0.9;

/// The value of a metric that has one, with its unit: "42.3 %", "1.2 GiB/s", "96.7ms".
std::string value_text(const metric::Metric& metric);

/// "6 steps, 918 ms: kernel 63.2 %, data_loading 23.2 %, cpu_op 9.0 % of their time".
std::string trace_headline(const TraceAnalysis& analysis);

/// Roles with their exposed and overlapped time; the sum is the last row.
TextTable partition_table(const TraceAnalysis& analysis);

/// Calls of the runtime by what they are for. Without rows when nothing was called.
TextTable runtime_table(const TraceAnalysis& analysis);

/// How to read the two tables, and what does not stand in them: device work after the last step,
/// what devices did while the host was blocked, communication that nothing hides, what bounds the
/// critical path and the answer to --what-if, the longest silence of a device, numbers that the
/// host waited for.
std::vector<std::string> trace_remarks(const TraceAnalysis& analysis);

/// The metrics beside the partition that have a value: all, or the few that an overview needs.
enum class MetricChoice { overview, all };
TextTable metric_table(const TraceAnalysis& analysis, MetricChoice choice);

/// "data_wait_ratio: no row is called enumerate(DataLoader)#...": what cannot be known, and why.
/// One line a reason, with the first metrics that it keeps from being known; result.json has a
/// reason for each.
std::vector<std::string> unknown_lines(const TraceAnalysis& analysis);

/// "75,718 rows, 35.1 MB of JSON (gzip) in 110 ms: 688,000 rows/s, 319 MB/s".
std::string reading_line(const TraceAnalysis& analysis);

}  // namespace tune::report
