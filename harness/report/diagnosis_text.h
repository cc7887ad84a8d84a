#pragma once

#include "advice/diagnosis.h"

#include <string>
#include <vector>

namespace tune::report {

// What terminal and report.md say of a diagnosis, in the same words.

/// "predicted +5.3 to +16.9 %"; "seen in the search: +62.0 %" where that is no prediction; or "gain
/// unknown: ...".
std::string gain_words(const advice::PredictedGain& gain);

/// "+5.3 to +16.9 %", "+5.3 %" where both read the same.
std::string range_text(double lower, double upper);

/// "measured +5.1 % [+4.0, +6.3] in 8 fresh pairs: CONFIRMED"; "" where nothing was measured.
std::string measured_words(const advice::Recommendation& recommendation);

/// What came of testing it, a line or a few: "measured ... CONFIRMED, as predicted", before and
/// after, where the gain comes from; or "not tested: <why, and what would do it>". None for a
/// trace, which cannot be run again.
std::vector<std::string> tested_lines(const advice::Recommendation& recommendation);

/// The variables to set before the program starts, as one line that names all ways; "" without.
std::string environment_words(const advice::Recommendation& recommendation);

/// What to do, one line each: knobs, then code, variables or words.
std::vector<std::string> change_lines(const advice::Recommendation& recommendation);

/// The condition of its rule with the numbers, or "".
std::string because_words(const advice::Diagnosis& diagnosis,
                          const advice::Recommendation& recommendation);

/// "79 rules: 3 fired, 20 quiet, 56 not applicable, 40 of them need a run (tune run)".
std::string count_words(const advice::Diagnosis& diagnosis);

/// Rules of validity that fired: "Record the trace again: step_count unknown ..." What they doubt
/// stands before everything else.
std::vector<std::string> doubt_lines(const advice::Diagnosis& diagnosis);

/// The first `most` recommendations, some lines each, as a terminal shows them: gain, title, rule,
/// what to change, the condition with its numbers.
std::vector<std::string> recommendation_lines(const advice::Diagnosis& diagnosis, std::size_t most);

/// What fired and proposes no change with a gain, and is not explained by another finding.
std::vector<std::string> other_finding_lines(const advice::Diagnosis& diagnosis);

/// The section of report.md: doubts, recommendations with their evidence, findings.
std::string diagnosis_markdown(const advice::Diagnosis& diagnosis);

}  // namespace tune::report
