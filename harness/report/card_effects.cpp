#include "report/card_effects.h"

#include "base/units.h"
#include "report/cell_times.h"
#include "report/headline.h"
#include "report/number_text.h"
#include "report/trial_steps.h"

#include <cmath>

namespace tune::report {

namespace {

using campaign::CampaignResult;
using campaign::CellResult;

std::string signed_change(double before, double after) {
  return before > 0 && std::isfinite(after / before) ? " (" + gain_text(after / before - 1) + ")"
                                                     : "";
}

std::string memory_effect(const CellResult& before, const CellResult& after) {
  if (!before.peak_memory_bytes || !after.peak_memory_bytes) {
    return "";
  }
  return "peak memory " + format_bytes(*before.peak_memory_bytes) + " to " +
         format_bytes(*after.peak_memory_bytes) +
         signed_change(static_cast<double>(*before.peak_memory_bytes),
                       static_cast<double>(*after.peak_memory_bytes));
}

std::string start_effect(const CampaignResult& result,
                         const CellResult& before,
                         const CellResult& after) {
  const auto now = time_to_first_step_s(result, before);
  const auto then = time_to_first_step_s(result, after);
  return now && then ? "time to the first step " + format_seconds(*now) + " to " +
                           format_seconds(*then) + signed_change(*now, *then)
                     : "";
}

std::string wait_effect(const CampaignResult& result,
                        const CellResult& before,
                        const CellResult& after) {
  const auto now = estimate_of(cell_times(result, before.cell.id).data_wait_ratios);
  const auto then = estimate_of(cell_times(result, after.cell.id).data_wait_ratios);
  return now && then ? "waiting for data " + share_text(now->value) + " to " +
                           share_text(then->value) + " of the step"
                     : "";
}

}  // namespace

std::string side_effects(const CampaignResult& result, const CellResult* after) {
  const CellResult* const before = conclude(result).baseline;
  if (before == nullptr || after == nullptr) {
    return "not known: no setting of this run has this change alone";
  }
  std::string text;
  for (const std::string& effect : {memory_effect(*before, *after),
                                    wait_effect(result, *before, *after),
                                    start_effect(result, *before, *after)}) {
    text += text.empty() || effect.empty() ? "" : "; ";
    text += effect;
  }
  return text.empty() ? "not measured" : text;
}

}  // namespace tune::report
