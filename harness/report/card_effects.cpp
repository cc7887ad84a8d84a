#include "report/card_effects.h"

#include "base/units.h"
#include "report/head_room.h"
#include "report/number_text.h"
#include "report/run_words.h"
#include "report/trial_steps.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace tune::report {

namespace {

/// Baseline, and the setting with the change.
struct Sides {
  const result::Cell &before, &after;
};

const campaign::CellResult* measured_cell(const campaign::CampaignResult& run,
                                          const std::string& id) {
  const auto found = std::find_if(
      run.cells.begin(), run.cells.end(), [&](const auto& cell) { return cell.cell.id == id; });
  return found == run.cells.end() ? nullptr : &*found;
}

std::string signed_change(double before, double after) {
  return before > 0 && std::isfinite(after / before) ? " (" + gain_text(after / before - 1) + ")"
                                                     : "";
}

std::string memory_effect(const result::Result& result, const Sides& sides) {
  const MetricByCell peaks(result, "peak_memory_bytes");
  const auto *const now = peaks.find(sides.before.id), *const then = peaks.find(sides.after.id);
  return now != nullptr && then != nullptr
             ? "peak memory " + peaks.text(sides.before.id) + " to " + peaks.text(sides.after.id) +
                   signed_change(*now->value, *then->value)
             : "";
}

std::string wait_effect(const result::Result& result, const Sides& sides) {
  const MetricByCell waits(result, "data_wait_ratio");
  return waits.find(sides.before.id) != nullptr && waits.find(sides.after.id) != nullptr
             ? "waiting for data " + waits.text(sides.before.id) + " to " +
                   waits.text(sides.after.id) + " of the step"
             : "";
}

std::string start_effect(const campaign::CampaignResult& run, const Sides& sides) {
  const auto seconds = [&](const result::Cell& cell) {
    const campaign::CellResult* const measured = measured_cell(run, cell.id);
    return measured == nullptr ? std::nullopt : time_to_first_step_s(run, *measured);
  };
  const auto now = seconds(sides.before), then = seconds(sides.after);
  return now && then ? "time to the first step " + format_seconds(*now) + " to " +
                           format_seconds(*then) + signed_change(*now, *then)
                     : "";
}

}  // namespace

std::string side_effects(const Run& run, const result::Cell* after) {
  const result::Cell* const before = baseline_of(run.result);
  if (before == nullptr || after == nullptr) {
    return "not known: no setting of this run has this change alone";
  }
  const Sides sides{*before, *after};
  std::string text;
  for (const std::string& effect :
       {memory_effect(run.result, sides),
        wait_effect(run.result, sides),
        run.directory == nullptr ? std::string() : start_effect(*run.directory, sides)}) {
    text += text.empty() || effect.empty() ? "" : "; ";
    text += effect;
  }
  return text.empty() ? "not measured" : text;
}

std::string memory_room(const Run& run, const result::Cell* cell) {
  if (cell == nullptr) {
    return "not measured for this change alone";
  }
  const campaign::CellResult* const measured =
      run.directory == nullptr ? nullptr : measured_cell(*run.directory, cell->id);
  return measured == nullptr ? "" : head_room_text(*run.directory, *measured);
}

}  // namespace tune::report
