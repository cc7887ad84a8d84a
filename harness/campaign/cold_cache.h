#pragma once

#include "campaign/campaign_result.h"

#include <string>
#include <vector>

namespace tune::campaign {

/// Whether a trial began with less than 95 % of the data files' bytes in the page cache, so that
/// its rate includes reading from the disk. Our own cut: a set that was just read is above 99 %,
/// and a few files that the kernel dropped since are no cold cache.
bool began_cold(const TrialRecord& record);

/// What the reader must know: a cold trial does not compare with the warm ones after it. "the page
/// cache was cold in 1 of 24 trials (the first: r1-c01, 12.0 % of the files' bytes in it) ..."; ""
/// where no trial began cold, or the kernel does not tell.
std::string cold_cache_text(const std::vector<TrialRecord>& trials);

}  // namespace tune::campaign
