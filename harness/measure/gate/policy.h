#pragma once

#include "base/stats/looks.h"
#include "base/stats/verdict.h"
#include "scenario/gate_section.h"
#include "trial/trial_reply.h"
#include "trial/trial_spec.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tune::gate {

/// What can be gated. A measured metric is judged over pairs; a counted one (operators,
/// allocations, bytes of one step) is equal or not, on any machine.
struct Metric {
  std::string name, unit;
  bool higher_is_better = false;
  bool is_counted = false;
  std::string summary;
  /// The value of one process; nothing where the reply does not have it.
  std::optional<double> (*value)(const trial::TrialReply& reply, const trial::TrialSpec& spec);
};

const std::vector<Metric>& all_metrics();
const Metric* find_metric(std::string_view name);

/// Names of the measured, or of the counted ones.
std::vector<std::string> metric_names(bool counted);
/// The names of all metrics, the measured ones first.
std::vector<std::string> all_metric_names();

/// ln(how much worse the candidate is): above 0 it is slower, larger or less.
double log_worsening(const Metric& metric, double baseline, double candidate);

enum class Mode {
  enforce,  ///< a negative verdict fails
  warn,     ///< it is reported and does not fail
  shadow    ///< it is recorded only
};

/// What INCONCLUSIVE answers to the shell: 3, 0 or 1.
enum class Inconclusive { warn, pass, fail };

const char* to_string(Mode mode);
const char* to_string(Inconclusive inconclusive);

/// A metric that is gated, and how much worse it may get.
struct Budget {
  std::string metric;
  double ratio = 0.05;
  bool operator==(const Budget&) const = default;
};

/// How a gate judges. Nothing here depends on what is measured.
struct Policy {
  std::vector<Budget> budgets;      ///< of measured metrics, each once, in the order of the report
  std::vector<Budget> structural;   ///< of counted metrics that are gated
  double min_effect_ratio = 0.01;   ///< a smaller change does not matter
  std::vector<std::int64_t> looks;  ///< pairs at each look; empty: by the number of metrics
  Mode mode = Mode::enforce;
  Inconclusive inconclusive = Inconclusive::warn;
  bool structural_only = false;             ///< count, measure nothing
  std::optional<std::int64_t> max_time_ns;  ///< wall time of the whole gate
  std::vector<std::string> accepted;        ///< in words: what accept_rows() did
  bool compares_counts = true;              ///< false: what one step does is not looked at
};

/// Whether that measured metric is gated.
bool gates(const Policy& policy, std::string_view metric);

/// The looks of a policy.
stats::LookSchedule look_schedule(const Policy& policy);

/// Throws tune::Error for what no gate can judge by: a budget of 0 or 100 %, an unknown metric, a
/// first look with too few pairs to call anything.
void check_policy(const Policy& policy);

/// "3%", "0.03", "epoch_time=3%,throughput=5%": sets the budget of every row, or of those that are
/// named. `where` is the flag. Throws tune::Error.
void apply_budget(Policy& policy, const std::string& text, const std::string& where);

/// "epoch_time,throughput": makes these, and only these, the gated metrics; those that were gated
/// before keep their budget. Throws tune::Error.
void choose_metrics(Policy& policy,
                    const std::vector<std::string>& names,
                    const std::string& where);

/// What the scenario says that the team has agreed to: the budget of such a row is at least as
/// large until that day, and the policy says so; where the day is before `today` (YYYY-MM-DD), that
/// it counts no more. A row that is not gated is left alone. Throws tune::Error for one that does
/// not exist.
void accept_rows(Policy& policy,
                 const std::vector<scenario::AcceptedRow>& rows,
                 const std::string& today);

/// "10,16,24". Throws tune::Error.
void choose_looks(Policy& policy, const std::string& text, const std::string& where);

}  // namespace tune::gate
