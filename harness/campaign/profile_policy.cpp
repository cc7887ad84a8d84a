#include "campaign/profile_policy.h"

namespace tune::campaign {

bool is_profiled(const scenario::Scenario& scenario, const Slot& slot, bool has_diagnosis) {
  const std::string& cells = scenario.profile_cells;
  if (cells == "none") {
    return false;
  }
  if (slot.stage == "diagnose") {
    return true;
  }
  // The trial that looks for the warm-up is the first; nothing is compared with it.
  const char* const first = scenario.warmup_is_auto ? "warmup" : "search";
  if (!has_diagnosis && slot.cell == 0 && slot.stage == first &&
      (slot.stage == "warmup" || slot.round == 1)) {
    return true;
  }
  const bool both_sides = cells == "best" || cells == "all";
  const bool is_paired = slot.stage == "confirm" || slot.stage == "ladder";
  return slot.round == 1 &&
         ((both_sides && is_paired) || (cells == "all" && slot.stage == "search"));
}

std::int64_t profiled_in_confirmation(const scenario::Scenario& scenario, std::size_t cells) {
  const bool any = is_profiled(scenario, Slot{.stage = "confirm", .round = 1});
  return any ? static_cast<std::int64_t>(cells) + 1 : 0;
}

}  // namespace tune::campaign
