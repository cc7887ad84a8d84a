#pragma once

#include "cli/output_wish.h"
#include "cli/terminal.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

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
  bool as_json = false;
  bool quiet = false;
  OutputWish outputs;
  ColorWish color = ColorWish::automatic;
  std::vector<std::string> words;  ///< the command as typed
};

}  // namespace tune::cli
