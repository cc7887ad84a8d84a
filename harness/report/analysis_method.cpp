#include "report/analysis_method.h"

#include "report/html_parts.h"
#include "report/html_table.h"
#include "report/run_facts.h"

namespace tune::report {

std::vector<std::string> analysis_method_lines() {
  std::vector<std::string> lines;
  constexpr std::size_t kLines = 5;
  lines.reserve(kLines);
  lines.emplace_back(
      "Steps are the rows ProfilerStep#N of the host. Each moment of a step belongs to the first "
      "of "
      "kernel, communication, memcpy, memset, runtime, data_loading and cpu_op that any row has at "
      "it, over all threads, streams and devices, else to other: in whole ns, so that the parts "
      "sum to the step exactly.");
  lines.emplace_back(
      "Exposed: nothing before it in that order ran at the same time. Overlapped: something did; "
      "what is overlapped gains nothing when it goes. The time of kernels added up is no wall "
      "time.");
  lines.emplace_back(
      "The trace was recorded with a profiler, whose own cost is in these times. What a change "
      "gains is only known when it is measured without one.");
  lines.emplace_back(
      "A share is an upper bound of what could be gained: other parts may grow when one shrinks, "
      "and who occupies a device or a thread need not be who caused the wait.");
  lines.emplace_back("What was not recorded is not known, and never a zero.");
  return lines;
}

Markup analysis_reproduce_section(const AnalysisRecord& record) {
  Markup html;
  html.section("Run it again");
  html.append(preformatted(command_line(record.command)));
  html.append(paragraph("tune " + one_line(record.tune_version) + ", commit " +
                        (record.commit.empty() ? "not known" : one_line(record.commit)) +
                        "; started " + one_line(record.started_utc) +
                        ". All numbers, also those that are not shown here, are in result.json "
                        "beside this page."));
  return html.close().line();
}

}  // namespace tune::report
