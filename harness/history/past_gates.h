#pragma once

#include "history/entry.h"
#include "history/series.h"

#include <vector>

namespace tune::history {

/// The gates of `own`'s scenario on its class of machine that began before it: the newest
/// kMostGates of these entries, newest first.
std::vector<PastGate> gates_before(const Entry& own, const std::vector<Entry>& entries);

}  // namespace tune::history
