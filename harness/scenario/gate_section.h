#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tune::scenario {

/// What a scenario says about `tune gate`; what it does not say stays empty. Flags win over it.
struct GateSection {
  std::vector<std::string> metrics;
  std::optional<double> budget_ratio;
  std::vector<std::pair<std::string, double>> metric_budgets;  ///< of single metrics
  std::optional<double> min_effect_ratio;
  std::string mode;                 ///< enforce | warn | shadow
  std::string inconclusive;         ///< warn | pass | fail
  std::vector<std::int64_t> looks;  ///< pairs at each
  std::optional<std::int64_t> slices, max_time_ns;
};

}  // namespace tune::scenario
