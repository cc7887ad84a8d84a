#pragma once

#include "report/run_sections.h"

#include <string>

namespace tune::report {

/// Whether there is something to say of them.
bool were_rules_asked(const Run& run);

/// "on batches that are always there the model would do 80.0 samples/s, without a model the loader
/// would do 130.0 samples/s (one short trial each)"; "" where neither was tried. One that is not
/// above what the baseline itself did is named without its figure, which only noise explains.
std::string ceiling_words(const result::Result& result);
std::string ceiling_words(const campaign::CampaignResult& run);

/// Recommendations of a run or an analysis, each in a card, in groups: CONFIRMED, open, the others.
/// `strips` of the cards draw their steps.
void add_recommendation_cards(const Run& run, std::size_t strips, Section& section);

/// What else fired, how many rules there were and what each of the others said; `trial` is that of
/// which they were asked, or "".
void add_findings(const result::Result& result, const std::string& trial, Section& section);

}  // namespace tune::report
