#pragma once

#include "trial/json_object.h"
#include "trial/trial_reply.h"

#include <nlohmann/json_fwd.hpp>

namespace tune::trial {

/// Puts what a worker found out besides its slices into the object of a reply: the search for the
/// warm-up's length, sentinel, structure, begins of epochs, injected delay.
void put_findings(const TrialReply& reply, nlohmann::json& object);

/// Reads them. Each may be missing or null: a worker that was not asked says nothing.
void read_findings(JsonObject& object, TrialReply& reply);

}  // namespace tune::trial
