#include "report/html_gate.h"

#include "report/html_gate_sections.h"
#include "report/html_page.h"

namespace tune::report {

std::string to_gate_html(const GateRecord& record) {
  Markup body;
  for (const auto section : {gate_answer_section,
                             gate_build_section,
                             gate_rows_section,
                             gate_findings_section,
                             gate_anchor_section,
                             gate_pairs_section,
                             gate_counts_section,
                             gate_looks_section,
                             gate_failures_section,
                             gate_sides_section,
                             gate_machine_section,
                             gate_history_section,
                             gate_method_section,
                             gate_reproduce_section}) {
    body.append(section(record));
  }
  return html_page("tune gate: " + record.result.scenario.name, record.result.version, body);
}

}  // namespace tune::report
