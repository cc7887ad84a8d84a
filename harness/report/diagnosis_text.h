#pragma once

#include "result/result.h"

#include <cstddef>
#include <string>
#include <vector>

namespace tune::report {

// What the rules said, in the same words for every report.

/// Why a recommendation of a trace was not measured.
inline constexpr const char* kOfATraceAlone = "predicted only: a trace cannot be run again";

/// "predicted +5.3 to +16.9 %"; "seen in the search: +62.0 %" where it is not a prediction; or
/// "gain unknown: ...".
std::string gain_words(const result::PredictedGain& gain);

/// "measured +5.1 % [+4.0 %, +6.3 %] in 8 fresh pairs: CONFIRMED"; of one that was measured.
std::string measured_words(const result::Recommendation& recommendation);

/// What came of testing it, a line or a few: "measured ... CONFIRMED, as predicted", before and
/// after, where the gain comes from; or "not tested: <why, and what would do it>". None for a
/// trace, which cannot be run again.
std::vector<std::string> tested_lines(const result::Recommendation& recommendation);

/// What to do, one line each: knobs, then code, variables or words.
std::vector<std::string> change_lines(const result::Recommendation& recommendation);

/// The finding of that rule; null where there is none.
const result::Finding* finding_of(const result::Result& result, const std::string& rule);

/// Why it fired, in the words of its rule; where it has none, the condition with its numbers.
const std::string& reason_words(const result::Finding& finding);

/// Why, in the words of its rule; where it has none, the condition with its numbers; or "".
std::string because_words(const result::Result& result,
                          const result::Recommendation& recommendation);

/// "31 ms"; or why it is not known.
std::string value_words(const result::Evidence& evidence);
/// What it was compared with, and who says so; or "".
std::string limit_words(const result::Evidence& evidence);

/// "79 rules: 3 fired, 20 quiet, 56 not applicable, 40 of them need a run (tune run)".
std::string count_words(const result::Result& result);

/// Rules of validity that fired: "Record the trace again: step_count unknown ..." What they doubt
/// comes before everything else.
std::vector<std::string> doubt_lines(const result::Result& result);

/// The first `most` recommendations, some lines each, as a terminal shows them, those first that
/// fresh pairs confirmed: gain, title, rule, what to change, why; the condition with its numbers
/// where `is_verbose`.
std::vector<std::string> recommendation_lines(const result::Result& result,
                                              std::size_t most,
                                              bool is_verbose = false);

/// The recommendations: confirmed, measured in the search, predicted, then what pairs did not
/// confirm; in each group by rank.
std::vector<const result::Recommendation*> by_proof(const result::Result& result);

/// What fired and proposes no change with a gain, and is not explained by another finding.
std::vector<std::string> other_finding_lines(const result::Result& result);

/// What cannot be said, one line a reason, with the rules that it silences.
std::vector<std::string> silent_lines(const result::Result& result);

/// The section of the report.md of a trace: doubts, recommendations with their evidence, findings.
std::string diagnosis_markdown(const result::Result& result);

}  // namespace tune::report
