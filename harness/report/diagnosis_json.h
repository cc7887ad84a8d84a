#pragma once

#include "advice/diagnosis.h"

#include <nlohmann/json_fwd.hpp>

namespace tune::report {

/// Puts `findings`, `recommendations` and how these are ranked; with null, two empty lists and that
/// no rule was asked.
void add_diagnosis(nlohmann::ordered_json& json, const advice::Diagnosis* diagnosis);

/// One finding as `findings` has it.
nlohmann::ordered_json to_json(const advice::Finding& finding);

}  // namespace tune::report
