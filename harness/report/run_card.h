#pragma once

#include "report/run_sections.h"

#include <string>

namespace tune::report {

/// Whether a card draws the recorded steps of its change, which take room.
enum class CardStrip { drawn, left_out };

/// Everything about one recommendation of a run or an analysis: verdict, gain measured and
/// predicted, side effects, evidence, the change as text to paste, how to apply, verify and silence
/// it, risks and relations. That of a trace can neither be tested nor run again.
Article recommendation_card(const Run& run,
                            const result::Recommendation& recommendation,
                            CardStrip strip = CardStrip::left_out);

/// "CONFIRMED +18.4 %", "PREDICTED +5.0 to +12.0 %", "NOT MEASURED".
std::string chip_text(const result::Recommendation& recommendation);

/// The change as lines of a scenario, those that go and those that come; "" where no knob does it.
std::string scenario_patch(const result::Recommendation& recommendation);

}  // namespace tune::report
