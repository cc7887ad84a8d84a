#pragma once

#include "measure/history/series.h"
#include "result/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace tune::report {

// What the reports of a gate say, all of it from its result.json: so they can be made again of that
// file alone.

struct GateRecord {
  result::Result result;  ///< of kind "gate": `result.gate` is there
  std::string headline;
  bool is_structural = false;  ///< counts alone were wanted: nothing was timed
  /// Gates of the scenario, newest first; not in result.json: the command adds them.
  std::vector<history::PastGate> past_gates = {};
  std::string build_output;  ///< of a gate whose build failed: the end of what it printed

  const result::Gate& gate() const { return *result.gate; }
};

/// Throws tune::Error naming `where` when the text is not the result of a gate.
GateRecord read_gate_record(std::string_view json, const std::string& where);

}  // namespace tune::report
