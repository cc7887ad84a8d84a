#pragma once

#include "report/markup.h"
#include "trace/partition.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tune::report {

/// One bar: a step, in the parts of the partition.
struct RoleBar {
  std::string label;
  profile::RoleTimes exposed_ns{};  ///< of a mean step

  std::int64_t total_ns() const;
};

struct RoleBars {
  std::string id;  ///< unique in the page
  std::string title;
  std::vector<RoleBar> bars;
};

constexpr std::size_t kMostBars = 64;

/// Stacked bars on one scale of time, the first kMostBars of them: shorter is faster. Parts differ
/// by colour, hatch and label. Nothing when no bar has a length.
std::optional<Markup> role_bars(const RoleBars& bars);

}  // namespace tune::report
