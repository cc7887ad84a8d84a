#pragma once

#include "trial/json_object.h"
#include "trial/knob_catalog.h"
#include "trial/own_model.h"

#include <nlohmann/json_fwd.hpp>

#include <vector>

namespace tune::trial {

/// null where there is none.
nlohmann::json to_value(const OwnModel& model);

/// Throws tune::Error naming file and field. The object must not be null.
OwnModel read_own_model(JsonObject object);

/// The values of the object `name` by their names, at most 64; none where it is missing.
KnobSettings read_values(JsonObject& object, const char* name);

/// What a plug-in declares, as a reply says it.
nlohmann::json declared_knobs_to_value(const std::vector<Knob>& knobs);
std::vector<Knob> read_declared_knobs(JsonObject& reply, const char* name);

}  // namespace tune::trial
