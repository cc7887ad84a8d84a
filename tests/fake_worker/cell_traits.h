#pragma once

#include "trial/trial_reply.h"
#include "trial/trial_spec.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <map>
#include <string>

namespace tune::fake {

/// What is special about the trials of one cell, besides the effects of its knobs: another build of
/// the same training, or a machine that slows one side.
struct CellTraits {
  double slowdown_ratio = 0;            // every step takes this much longer
  double drift_ratio = 0;               // and this much more, gradually, until the end of the trial
  double tail_ratio = 0;                // every third slice takes this much longer
  double memory_factor = 1;             // of the peak
  double other_cpus = 0;                // that other processes use in the disturbed slices
  std::int64_t disturbed_slices = 0;    // of each process, the first ones
  std::int64_t disturbed_attempts = 0;  // only this many attempts of a process; 0: all
  double sentinel_factor = 1;
  bool has_sentinel = true, has_structure = true;
  bool is_steady = true;  // false: the warm-up search reports that its steps kept drifting
  std::int64_t operators = 61;
  bool loses_numbers = false;  // the loss becomes NaN
  double loss_factor = 1;
};

/// Cell -> traits, from the script. Throws std::exception for an unknown key.
std::map<std::string, CellTraits> read_cell_traits(const nlohmann::json& object);

/// Changes an invented reply accordingly, and adds what the spec requests besides slices: warm-up
/// search, sentinel, structure, injected delay.
void apply_traits(const CellTraits& traits, const trial::TrialSpec& spec, trial::TrialReply& reply);

}  // namespace tune::fake
