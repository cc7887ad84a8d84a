#include "report/method_text.h"

#include "report/failures.h"
#include "report/headline.h"
#include "report/markup.h"
#include "report/noise_text.h"
#include "report/number_text.h"

#include <algorithm>

namespace tune::report {

namespace {

using campaign::Audit;
using campaign::CampaignResult;

std::string found_text(const CampaignResult& result, const Audit& audit) {
  const std::string cost =
      " with " + share_text(audit_share(audit, audit.search_trials, audit.trials).value_or(0)) +
      " of the trials (" + std::to_string(audit.search_trials) + " of " +
      std::to_string(audit.trials) + ") and " +
      share_text(audit_share(audit, audit.search_ns, audit.ns).value_or(0)) +
      " of the measured seconds";
  const std::string whole = counted(audit.cells, "cell") + " in " + counted(audit.rounds, "round");
  if (!audit.found_ratio) {
    return "the search ended" + cost + " of " + whole +
           ", but what it found cannot be judged: " + one_line(audit.reason);
  }
  if (audit.pick == audit.best) {
    return "the search found 100.0 % of the best" + cost + ": " + setting_text(result, audit.pick) +
           " is the fastest of " + whole;
  }
  return "the search found " + share_text(*audit.found_ratio) + " of the best" + cost + ": " +
         setting_text(result, audit.pick) + " against " + setting_text(result, audit.best) +
         " of " + whole +
         ". The best of many noisy cells looks better than it is, so the share is rather "
         "too low";
}

std::string weakness_line(const campaign::SteadyTally& tally) {
  return "steady state: " + std::to_string(tally.weak) + " of " + counted(tally.trials, "trial") +
         " had too few steps for their noise to rule out a slow drift (weak)";
}

// What "at most" means of a setting that never ran.
std::string model_line() {
  return "search's model: a regression (a Gaussian process) on the rates measured so far, by which "
         "settings that share values of knobs are about as fast. Of a setting that never ran, 'at "
         "most' is the upper end of what it expects; what it says that the leader has is its own "
         "figure too, not that of the table";
}

}  // namespace

std::optional<double> audit_share(const Audit& audit, std::int64_t of_search, std::int64_t whole) {
  return audit.is_whole && whole > 0
             ? std::optional(static_cast<double>(of_search) / static_cast<double>(whole))
             : std::nullopt;
}

std::string audit_text(const CampaignResult& result) {
  if (!result.audit) {
    return "";
  }
  return result.audit->is_whole ? found_text(result, *result.audit) : result.audit->reason;
}

std::vector<std::string> method_lines(const CampaignResult& result) {
  std::vector<std::string> lines;
  if (result.warmup) {
    lines.push_back("warm-up: " + result.warmup->text);
  }
  if (result.steadiness.weak > 0) {
    lines.push_back(weakness_line(result.steadiness));
  }
  if (!result.search_ended.empty() && result.cells.size() > 1) {
    lines.push_back("search: " + result.search_ended);
  }
  if (std::any_of(result.cells.begin(), result.cells.end(), is_ruled_out)) {
    lines.push_back(model_line());
  }
  if (const std::string audit = audit_text(result); !audit.empty()) {
    lines.push_back("audit: " + audit);
  }
  lines.push_back(detectable_line(result));
  return lines;
}

}  // namespace tune::report
