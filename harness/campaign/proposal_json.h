#pragma once

#include "campaign/proposal.h"
#include "trial/json_object.h"

#include <nlohmann/json_fwd.hpp>

namespace tune::campaign {

/// {reason, proposals: [{rule, knobs: [{name, value}], lower, upper, outside}]}: a line of the
/// ledger, but for its event. Gains that are no finite number are null.
nlohmann::json to_json(const Proposals& proposals);

/// Throws tune::Error for anything else; knobs must be known and their values fit.
Proposals read_proposals(trial::JsonObject object);

}  // namespace tune::campaign
