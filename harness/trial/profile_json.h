#pragma once

#include "trial/json_object.h"
#include "trial/profile.h"

namespace tune::trial {

/// As a spec and a reply hold them. The readers throw tune::Error as JsonObject does.
nlohmann::json to_value(const Profile& profile);
nlohmann::json to_value(const ProfileOutcome& outcome);
Profile read_profile(JsonObject object);
ProfileOutcome read_profile_outcome(JsonObject object);

}  // namespace tune::trial
