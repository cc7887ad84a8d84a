#pragma once

#include "advice/recommendation.h"
#include "rule/fact_table.h"

#include <string>
#include <vector>

namespace tune::advice {

/// The code of a rule with each placeholder (rule/code_placeholders.h) replaced: by what is
/// proposed for its knob, else by the value that the knob has, else by "...".
std::string filled_code(const std::string& code,
                        const std::vector<ProposedKnob>& knobs,
                        const rule::FactTable& facts);

}  // namespace tune::advice
