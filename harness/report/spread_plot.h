#pragma once

#include "report/markup.h"
#include "report/trial_steps.h"

#include <optional>
#include <string>
#include <vector>

namespace tune::report {

/// How the steps of one setting spread.
struct NamedSpread {
  std::string label;
  StepSpread spread;
};

/// A row a setting on one scale of ms per sample, because batch sizes differ: a thin line from the
/// 1st to the 99th percentile, a thick one between the quartiles, a tick at the median, circles for
/// the longest steps that lie far out. Nothing without a row.
std::optional<Markup> spread_plot(const std::vector<NamedSpread>& rows);

}  // namespace tune::report
