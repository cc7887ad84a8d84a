#pragma once

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
  /// Of one process; nothing where it cannot be had.
  std::optional<double> (*value)(const trial::TrialReply& reply, const trial::TrialSpec& spec);
};

const std::vector<Metric>& all_metrics();
const Metric* find_metric(std::string_view name);

/// Names of the measured, or of the counted ones.
std::vector<std::string> metric_names(bool counted);
/// Of both, the measured ones first.
std::vector<std::string> all_metric_names();

/// ln(how much worse the candidate is): above 0 it is slower, larger or less.
double log_worsening(const Metric& metric, double baseline, double candidate);

}  // namespace tune::gate
