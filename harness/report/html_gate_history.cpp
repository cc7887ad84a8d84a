// The section of a gate's report.html about the gates before it.

#include "report/html_gate_sections.h"
#include "report/past_gates.h"

namespace tune::report {

Markup gate_history_section(const GateRecord& record) {
  Markup html;
  if (record.past_gates.empty()) {
    return html;
  }
  html.open("section").leaf("h2", "Gates before this one").line();
  return html.append(past_gates_table(record.past_gates)).close().line();
}

}  // namespace tune::report
