#pragma once

#include "trial/trial_reply.h"
#include "trial/trial_spec.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <map>
#include <string>

namespace tune::fake {

/// What is peculiar to the trials of one cell, beside what its knobs do: another build of the same
/// training, or a machine that treats one side badly.
struct CellTraits {
  double slowdown_ratio = 0;          // every step takes so much longer
  double drift_ratio = 0;             // and so much more, little by little, to the end of the trial
  double tail_ratio = 0;              // every third slice takes so much longer
  double memory_factor = 1;           // of the peak
  double other_cpus = 0;              // that other processes use in the disturbed slices
  std::int64_t disturbed_slices = 0;  // of each process, the first ones
  std::int64_t disturbed_attempts = 0;  // only so many attempts of a process; 0: all
  double sentinel_factor = 1;
  bool has_sentinel = true, has_structure = true;
  bool is_steady = true;  // false: a search for the warm-up says that its steps kept drifting
  std::int64_t operators = 61;
  bool loses_numbers = false;  // the loss is no number any more
  double loss_factor = 1;
};

/// Cell -> traits, from the script. Throws std::exception for an unknown key.
std::map<std::string, CellTraits> read_cell_traits(const nlohmann::json& object);

/// Changes an invented reply accordingly, and adds what the spec asks for besides slices: search
/// for the warm-up, sentinel, structure, injected delay.
void apply_traits(const CellTraits& traits, const trial::TrialSpec& spec, trial::TrialReply& reply);

}  // namespace tune::fake
