#include "gate/steady_warmup.h"

#include "base/assert.h"
#include "campaign/warmup_check.h"

#include <algorithm>

namespace tune::gate {

WarmupSearch search_warmup(const trial::Measure& measure,
                           std::int64_t most,
                           const std::function<std::optional<trial::TrialReply>(
                               const std::string& id, const trial::Measure& measure)>& run) {
  trial::Measure look = measure;
  look.find_warmup = true;
  look.slices = 1;
  WarmupSearch search;
  for (std::int64_t i = 1; i <= most && !search.is_steady(); ++i) {
    const auto reply = run("warmup-" + std::to_string(i), look);
    if (!reply) {
      search.has_failed = true;
      return search;
    }
    const auto check = campaign::check_warmup(*reply).value_or(campaign::WarmupCheck{});
    search.found = reply->warmup_search ? std::optional(check.record) : std::nullopt;
    search.disagreement = check.disagreement;
  }
  return search;
}

std::string no_steady_state(const WarmupSearch& search, std::int64_t processes) {
  if (!search.disagreement.empty()) {
    return "no-steady-state: " + search.disagreement;
  }
  return "no-steady-state: the speed of " +
         (processes == 1 ? "a process" : std::to_string(processes) + " processes") +
         " kept changing" +
         (search.found ? " for " + std::to_string(search.found->steps) + " steps" : "");
}

void warm_up_as_found(const WarmupSearch& search, trial::Measure& measure) {
  TUNE_ASSERT(search.is_steady());
  measure.find_warmup = false;
  measure.warmup_steps = std::max(measure.warmup_steps, search.found->cut);
  measure.warmup_ns = 0;
}

}  // namespace tune::gate
