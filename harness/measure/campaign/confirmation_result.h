#pragma once

#include "measure/campaign/campaign_result.h"
#include "measure/campaign/confirming.h"
#include "measure/campaign/recorded_run.h"

#include <cstddef>
#include <string>
#include <vector>

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

/// What the fresh rounds of the stage say about each cell that was paired in it: confirmed ones
/// first, then by the gain; those within 1 % by fewer changed knobs. What broke a constraint, if
/// only in these rounds, comes last, whatever its gain.
std::vector<Confirmation> confirmation_results(const RecordedRun& run,
                                               const ConfirmStanding& standing,
                                               const std::vector<CellHistory>& histories,
                                               const std::string& stage = "confirm");

}  // namespace tune::campaign
