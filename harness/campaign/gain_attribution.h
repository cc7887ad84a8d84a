#pragma once

#include "advice/attribution.h"
#include "campaign/recorded_run.h"

#include <optional>
#include <string>

namespace tune::campaign {

/// The pairs of one cell with the baseline.
struct PairsOf {
  std::string stage;  ///< "confirm" or "ladder"
  std::string cell;
};

/// Where the gain of a cell over the baseline comes from: of the slices that count in the rounds of
/// the stage in which both sides completed. Nothing without such a round.
std::optional<advice::Attribution> attribution_of(const RecordedRun& run,
                                                  const PairsOf& pairs,
                                                  double gain);

}  // namespace tune::campaign
