#pragma once

#include "campaign/recorded_run.h"

#include <cstddef>
#include <string>

namespace tune::campaign {

/// Whether a cell trains as the baseline does: both see the same samples in the same order.
struct LossParity {
  std::string text;      ///< "within 0.002 % of the baseline's at 5 steps", or why there is none
  bool differs = false;  ///< though all of its changed knobs claim to preserve numerics
};

/// Compares the losses at the same early steps of confirming trials. Only where no changed knob may
/// change the numbers (trial::Knob::preserves_numerics); elsewhere the text says which one does.
LossParity loss_parity(const RecordedRun& run,
                       std::size_t cell,
                       const std::string& stage = "confirm");

}  // namespace tune::campaign
