#pragma once

#include "measure/history/series.h"
#include "report/block.h"

#include <vector>

namespace tune::report {

/// A table of earlier gates, as they are given: verdict, why, what was changed, how much worse or
/// better it was.
Table past_gates_table(const std::vector<history::PastGate>& gates);

}  // namespace tune::report
