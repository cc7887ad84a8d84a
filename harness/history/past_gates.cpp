#include "history/past_gates.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace tune::history {

namespace {

constexpr std::string_view kDelta = "delta_";

// The headline without the verdict that it begins with.
std::string reason_of(const Entry& entry) {
  const std::string begin = entry.verdict + ": ";
  return entry.headline.starts_with(begin) ? entry.headline.substr(begin.size()) : "";
}

PastGate gate_of(const Entry& entry) {
  PastGate gate{.id = entry.id,
                .started_utc = entry.started_utc,
                .verdict = entry.verdict,
                .reason = reason_of(entry),
                .candidate = entry.setting,
                .changes = {}};
  for (const Measure& measure : entry.measures) {
    if (measure.name.starts_with(kDelta)) {
      gate.changes.push_back({measure.name.substr(kDelta.size()), measure.value});
    }
  }
  return gate;
}

}  // namespace

std::vector<PastGate> gates_before(const Entry& own, const std::vector<Entry>& entries) {
  std::vector<PastGate> gates;
  for (const Entry& entry : entries) {
    if (entry.kind == "gate" && entry.scenario == own.scenario && entry.machine == own.machine &&
        entry.started_utc < own.started_utc) {
      gates.push_back(gate_of(entry));
    }
  }
  std::stable_sort(gates.begin(), gates.end(), [](const PastGate& a, const PastGate& b) {
    return a.started_utc > b.started_utc;
  });
  gates.resize(std::min(gates.size(), kMostGates));
  return gates;
}

}  // namespace tune::history
