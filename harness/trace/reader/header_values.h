#pragma once

#include "trace/timeline.h"

#include <string>
#include <string_view>

namespace tune::profile {

/// Takes one member next to traceEvents into the timeline: deviceProperties, distributedInfo,
/// baseTimeNanoseconds, and every scalar into `metadata`. What cannot be read is left out: none of
/// it is needed to say where the time goes. `json` is the value, well-formed.
void take_header_value(Timeline& timeline, std::string_view key, const std::string& json);

/// The rank by the file's name, where distributedInfo does not say: "rank3", "rank_3", "rank-3" or
/// "rank=3" in any case.
void take_rank_from_name(Timeline& timeline);

}  // namespace tune::profile
