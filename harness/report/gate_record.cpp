#include "report/gate_record.h"

#include "base/error.h"
#include "report/markup.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace tune::report {

namespace {

// One that was written before `headline` was.
std::string headline_of(const result::Gate& gate) {
  return gate.headline.empty() ? gate.verdict + ": " + gate.why : gate.headline;
}

// Whoever wants times ends early or has pairs. That counts alone were wanted is not in
// result.json: one of those that ended early is known by its command.
bool is_structural(const GateRecord& record) {
  const result::Gate& gate = record.gate();
  const bool has_times = gate.pair_count > 0 || !gate.lost_pairs.empty() ||
                         std::any_of(gate.rows.begin(),
                                     gate.rows.end(),
                                     [](const result::GateRow& row) { return row.is_measured; });
  const auto& command = record.result.provenance.command;
  return !has_times &&
         (gate.end == "judged" ||
          std::find(command.begin(), command.end(), "--structural-only") != command.end());
}

}  // namespace

GateRecord read_gate_record(std::string_view text, const std::string& where) {
  GateRecord record;
  record.result = result::read_result(text, where);
  const result::Result& result = record.result;
  if (result.kind != "gate" || !result.gate) {
    throw Error(Error::Parts{where,
                             "holds no verdict of a gate",
                             result.kind == "gate"
                                 ? "its member gate is missing"
                                 : "it is of kind '" + shortened(result.kind, 40) + "'",
                             ""});
  }
  record.headline = headline_of(record.gate());
  record.is_structural = is_structural(record);
  return record;
}

}  // namespace tune::report
