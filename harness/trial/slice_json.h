#pragma once

#include "trial/json_object.h"
#include "trial/trial_reply.h"

#include <nlohmann/json_fwd.hpp>

#include <vector>

namespace tune::trial {

nlohmann::json slice_to_json(const Slice& slice);

/// The list `slices` of a reply: in the order of time, the parts of each summing to its wall time.
std::vector<Slice> read_slices(JsonObject& reply);

/// One list a part ({"data_wait_ns": [...], ...}): a tenth of the size of a list of objects, and
/// there can be 100,000 steps.
nlohmann::json step_phases_to_json(const std::vector<PhaseSums>& steps);
std::vector<PhaseSums> read_step_phases(JsonObject object);

}  // namespace tune::trial
