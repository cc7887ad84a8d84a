#include "report/past_gates.h"

#include "report/gate_sections.h"
#include "report/number_text.h"

#include <algorithm>
#include <cstddef>
#include <string>

namespace tune::report {

namespace {

using history::PastChange;
using history::PastGate;

constexpr std::size_t kLongestText = 300, kMostChanges = 6;

// "throughput -18.4 %, epoch_time +2.0 %"
std::string changes_text(const std::vector<PastChange>& changes) {
  std::string text;
  for (std::size_t i = 0; i < std::min(changes.size(), kMostChanges); ++i) {
    text += text.empty() ? "" : ", ";
    text += shortened(changes[i].metric, kLongestText) + " " + gain_text(changes[i].ratio);
  }
  const std::size_t left_out = changes.size() - std::min(changes.size(), kMostChanges);
  if (text.empty()) {
    return "not measured";
  }
  return left_out == 0 ? text : text + " and " + std::to_string(left_out) + " more";
}

std::string name_of(const PastGate& gate) {
  return gate.id > 0 ? "run " + std::to_string(gate.id) : "not numbered";
}

}  // namespace

Table past_gates_table(const std::vector<PastGate>& gates) {
  Table table{.caption = "Gates of this scenario on this class of machine, newest first",
              .columns = {{"gate"},
                          {"started"},
                          {"verdict"},
                          {"why"},
                          {"candidate"},
                          {"candidate against baseline"}}};
  for (const PastGate& gate : gates) {
    table.rows.push_back({name_of(gate),
                          one_line(gate.started_utc),
                          shortened(gate.verdict, kLongestText),
                          gate.reason.empty() ? "not said" : shortened(gate.reason, kLongestText),
                          shortened(gate.candidate, kLongestText),
                          changes_text(gate.changes)});
  }
  return table;
}

Section gate_history_section(const GateRecord& record) {
  Section section{.title = "Gates before this one"};
  return record.past_gates.empty() ? section : section.add(past_gates_table(record.past_gates));
}

}  // namespace tune::report
