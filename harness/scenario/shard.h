#pragma once

#include "scenario/cell.h"
#include "scenario/scenario.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tune::scenario {

/// "2/4"; nothing for other text, a part that is not among so many, or more than 10,000 of them.
std::optional<Shard> parse_shard(std::string_view text);

/// "2/4".
std::string to_text(const Shard& shard);

/// Leaves the baseline and every n-th other cell, so that neighbours in the grid, which take about
/// as long, are spread over the shards. The cells keep their ids. Throws tune::Error where the
/// strategy is not to measure all of them, or where some shard would have none.
void keep_shard(Plan& plan, const Scenario& scenario);

}  // namespace tune::scenario
