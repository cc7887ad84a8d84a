#pragma once

#include "report/block.h"
#include "result/diagnosis.h"

#include <string>

namespace tune::report {

// Where a measured gain comes from, in the same words for every format.

/// "58.3 samples/s before, 68.9 after; 17.2 ms a sample before, 14.5 after"; without the second
/// part where the phases were not attributed.
std::string before_after_words(const result::MeasuredGain& gain);

/// "of the +18.4 points: waiting for data +15.2, forward +3.4, other -0.2": parts of at least a
/// tenth of a point, the largest first; "" where nothing was attributed.
std::string gain_parts_words(const result::MeasuredGain& gain);

/// Each phase with its time of a sample before and after, what that saved, the share of the
/// saving and the percentage points of the gain; the last row is the sum. No rows where nothing was
/// attributed.
Table gain_parts_table(const result::MeasuredGain& gain);

}  // namespace tune::report
