#pragma once

#include "advice/finding.h"

#include <vector>

namespace tune::advice {

/// Makes quiet what a rule that fired mutes: "muted by gpu-saturation". A rule of validity makes it
/// not applicable instead. A finding of low severity mutes nothing, nor does one that is muted
/// itself. One whose severity is that of its gain, which nobody knows, mutes only rules of its own
/// group.
void apply_muting(std::vector<Finding>& findings);

/// Names the causes that fired too. A finding whose rule knows causes, none of which fired, gets
/// the label "unexplained".
void apply_explanations(std::vector<Finding>& findings);

}  // namespace tune::advice
