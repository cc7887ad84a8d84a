#pragma once

#include "cli/gate_request.h"
#include "measure/gate/gate_result.h"
#include "scenario/scenario.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tune::cli {

/// Where a side comes from.
struct GateSource {
  scenario::Scenario scenario;
  std::string words;   ///< "old.yaml", "HEAD at 0123456789ab"; "": the setting says it all
  std::string commit;  ///< of a gate across revisions
  std::vector<std::pair<std::string, std::string>> files;  ///< gate::Side::files
};

struct GateSources {
  GateSource candidate;
  std::optional<GateSource> baseline;  ///< nothing: the candidate's scenario without its --set
  /// Makes the files that a side's scenario names be those of the side, "baseline" or "candidate",
  /// before anything reads them; may be empty.
  std::function<void(const std::string& side)> enter;
};

/// The scenarios of FILE and --against. Throws tune::Error.
GateSources read_gate_sources(const GateRequest& request);

/// Scenario, sides without data, policy and looks, as sources and flags say; nothing is prepared or
/// made. Throws tune::Error.
gate::GateResult read_gate_request(const GateRequest& request, const GateSources& sources);

/// Prepares the data of both sides, reads the machine, draws the seed where none is given.
void prepare_gate(gate::GateResult& result,
                  const GateRequest& request,
                  const GateSources& sources,
                  const std::filesystem::path& worker,
                  const std::function<void(const std::string&)>& show);

}  // namespace tune::cli
