#pragma once

#include "advice/recommendation.h"
#include "report/text_table.h"

#include <string>

namespace tune::report {

// Where a measured gain comes from, in the same words for every format.

/// "58.3 samples/s before, 68.9 after; 17.2 ms a sample before, 14.5 after"; without the second
/// part where the phases were not attributed.
std::string before_after_words(const advice::MeasuredGain& gain);

/// "of the +18.4 points: waiting for data +15.2, forward +3.4, other -0.2": parts of at least a
/// tenth of a point, the largest first; "" where nothing was attributed.
std::string gain_parts_words(const advice::MeasuredGain& gain);

/// Each phase with its time of a sample before and after, what that saved, the share of the
/// saving and the percentage points of the gain; the last row is the sum. No rows where nothing was
/// attributed.
TextTable gain_parts_table(const advice::MeasuredGain& gain);

/// "as predicted", "more than predicted", "less than predicted": the measured gain against the
/// predicted range; "" where either is missing.
std::string prediction_words(const advice::Recommendation& recommendation);

}  // namespace tune::report
