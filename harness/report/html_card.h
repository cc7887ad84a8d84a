#pragma once

#include "advice/diagnosis.h"
#include "advice/recommendation.h"
#include "campaign/campaign_result.h"
#include "report/markup.h"

namespace tune::report {

/// Whether a card draws the recorded steps of its change, which take room.
enum class CardStrip { drawn, left_out };

/// Everything about one recommendation of a run, in an <article> with a heading of the fourth
/// level: verdict, gain measured and predicted, side effects, evidence, the change as text to
/// paste, how to apply, verify and silence it, risks and relations. Needs the run's diagnosis.
Markup recommendation_card(const campaign::CampaignResult& result,
                           const advice::Recommendation& recommendation,
                           CardStrip strip);

/// The same of a recommendation that a trace gave, which can neither be tested nor run again.
Markup recommendation_card(const advice::Diagnosis& diagnosis,
                           const advice::Recommendation& recommendation);

/// "CONFIRMED +18.4 %", "PREDICTED +5.0 to +12.0 %", "NOT MEASURED".
std::string chip_text(const advice::Recommendation& recommendation);

/// The change as lines of a scenario, those that go and those that come; "" where no knob does it.
std::string scenario_patch(const advice::Recommendation& recommendation);

}  // namespace tune::report
