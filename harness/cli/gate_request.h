#pragma once

#include "cli/output_wish.h"
#include "cli/terminal.h"
#include "measure/gate/calibration.h"
#include "measure/gate/gate_result.h"
#include "measure/gate/policy.h"
#include "scenario/gate_section.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace tune::cli {

/// What --anchor allows unless --anchor-budget says otherwise.
inline constexpr const char* kUsualAnchorBudget = "5%";

/// What a `tune gate` was asked; "" and nothing: not said.
struct GateRequest {
  std::string file;               ///< scenario
  std::vector<std::string> sets;  ///< --set: of the candidate, or how both sides are measured
  std::string against;            ///< another scenario: its baseline setting is the baseline
  /// --baseline as typed; once choose_baseline() has seen it, the name or the file of a stored one,
  /// or "".
  std::string baseline;
  bool baseline_is_file = false;  ///< by choose_baseline()
  std::string run;                ///< judge what this directory holds; measure nothing
  std::string anchor;             ///< a second, older baseline, named as --baseline
  std::string anchor_budget;      ///< "" for kUsualAnchorBudget
  std::string metrics, budget, min_effect, looks, max_time, seed, output;
  std::string mode, inconclusive;
  std::string inject;  ///< a slowdown of the candidate, to see the gate work
  std::optional<std::int64_t> slices;
  bool structural_only = false;
  bool skip_equal = false;
  bool rebuild = false;
  bool plan_only = false;
  bool waits = false;  ///< --wait: for another run on this machine
  bool as_json = false;
  bool quiet = false;
  OutputWish outputs;
  ColorWish color = ColorWish::automatic;
  std::vector<std::string> words;  ///< the command as typed
};

/// The flags of `tune gate`; `request` outlives the command.
void add_gate_flags(CLI::App& command, GateRequest& request);

/// What this machine can detect, where it was calibrated for what is gated; the result says so, or
/// that it was not. Throws tune::Error for a budget that is below it and is to be enforced.
std::optional<gate::Calibration> find_calibration(gate::GateResult& result);

/// Two equal sides measure the noise of the machine for free.
void add_to_calibration(const gate::GateResult& result, gate::Calibration calibration);

/// How a gate judges: flags win over the scenario, the scenario over the defaults. Throws
/// tune::Error.
gate::Policy read_policy(const GateRequest& request, const scenario::GateSection& section);

/// How a gate judged, with what flags change of it. Throws tune::Error.
gate::Policy changed_policy(const GateRequest& request, gate::Policy recorded);

}  // namespace tune::cli
