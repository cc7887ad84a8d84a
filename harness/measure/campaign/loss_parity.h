#pragma once

#include "measure/campaign/recorded_run.h"

#include <cstddef>
#include <string>
#include <vector>

namespace tune::campaign {

/// What a setting does to the numbers, by the losses of its fresh pairs and by the knob catalogue.
struct LossParity {
  /// Behind "losses": "equal to the baseline's to the last digit in 6 pairs: numerics are
  /// preserved", "within 0.002 % of the baseline's at 2 early steps", or why they are not compared.
  std::string text;
  bool differs = false;  ///< though none of its changed knobs may change what is computed
};

/// Compares the losses at the same steps of the trials of a stage, round by round. A knob that may
/// change the numbers (trial::Knob::preserves_numerics) is named, and never doubted. Workers of a
/// script's loader draw random numbers of their own: there the means over all steps are compared.
LossParity loss_parity(const RecordedRun& run,
                       std::size_t cell,
                       const std::string& stage = "confirm");

/// The same of a change of a script's that no pairs have run: "not compared: amp may change the
/// numbers"; "" where none of its knobs may change them. `batch_size` is the baseline's, or "".
std::string losses_without_pairs(const std::vector<std::string>& knobs,
                                 const std::string& batch_size);

}  // namespace tune::campaign
