#pragma once

#include "campaign/progress.h"
#include "scenario/plan.h"

#include <string>

namespace tune::campaign {

/// "c47 (amp=bf16 num_workers=4) was not confirmed: the budget had room for the pairs of one cell
/// only": of the cells that the search would have confirmed. "" where each of them was.
std::string unconfirmed_text(const scenario::Plan& plan, const Progress& progress);

}  // namespace tune::campaign
