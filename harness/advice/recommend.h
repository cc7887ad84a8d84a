#pragma once

#include "advice/finding.h"
#include "advice/recommendation.h"

#include <optional>
#include <vector>

namespace tune::advice {

/// What a finding that fired proposes; nothing where it has no gain, where a cause of it fired too
/// and proposes something itself, or where every knob already has the value and there is no code.
/// `all` are the findings of the run.
std::optional<Recommendation> recommend(const Finding& finding,
                                        const rule::FactTable& facts,
                                        const std::vector<Finding>& all);

}  // namespace tune::advice
