#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tune::scenario {

/// A worsening that the team has agreed to: `gate: {accepted: [...]}`.
struct AcceptedRow {
  std::string row;       ///< a gated metric
  double max_ratio = 0;  ///< how much worse it may get meanwhile
  std::string until;     ///< the last day, YYYY-MM-DD (UTC)
  std::string reason;
  bool operator==(const AcceptedRow&) const = default;
};

/// "6%", as a scenario has a share.
std::string share_text(double ratio);

/// Whether it is a day of the calendar, written YYYY-MM-DD.
bool is_date(const std::string& text);

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
  std::vector<AcceptedRow> accepted;
};

}  // namespace tune::scenario
