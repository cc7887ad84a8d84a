#include "cli/gate_policy.h"

#include "base/error.h"
#include "base/text.h"
#include "base/units.h"
#include "cli/open_run.h"
#include "gate/metric.h"
#include "trial/trial_spec.h"

#include <string>
#include <utility>
#include <vector>

namespace tune::cli {

namespace {

gate::Mode mode_of(const std::string& word) {
  return word == "warn"     ? gate::Mode::warn
         : word == "shadow" ? gate::Mode::shadow
                            : gate::Mode::enforce;
}

gate::Inconclusive inconclusive_of(const std::string& word) {
  return word == "pass"   ? gate::Inconclusive::pass
         : word == "fail" ? gate::Inconclusive::fail
                          : gate::Inconclusive::warn;
}

void take_metrics(const GateRequest& request, gate::Policy& policy) {
  if (!request.metrics.empty()) {
    gate::choose_metrics(policy, split(request.metrics, ','), "--metrics " + request.metrics);
  }
}

// What is asked of the rows, and when they are looked at.
void take_limits(const GateRequest& request, gate::Policy& policy) {
  if (!request.budget.empty()) {
    gate::apply_budget(policy, request.budget, "--budget " + request.budget);
  }
  if (!request.min_effect.empty()) {
    const auto ratio = parse_ratio(request.min_effect);
    if (!ratio) {
      throw Error(Error::Parts{
          "--min-effect " + request.min_effect, "is no share", "must read 1% or 0.01", "1%"});
    }
    policy.min_effect_ratio = *ratio;
  }
  if (!request.looks.empty()) {
    gate::choose_looks(policy, request.looks, "--looks " + request.looks);
  }
}

}  // namespace

gate::Policy read_policy(const GateRequest& request, const scenario::GateSection& section) {
  gate::Policy policy;
  for (const std::string& name : gate::metric_names(false)) {
    policy.budgets.push_back({name});
  }
  if (!section.metrics.empty()) {
    gate::choose_metrics(policy, section.metrics, "gate.metrics");
  }
  take_metrics(request, policy);
  if (section.budget_ratio) {
    gate::apply_budget(policy, std::to_string(*section.budget_ratio), "gate.budget");
  }
  for (const auto& [metric, ratio] : section.metric_budgets) {
    gate::apply_budget(policy, metric + "=" + std::to_string(ratio), "gate.budget");
  }
  policy.min_effect_ratio = section.min_effect_ratio.value_or(policy.min_effect_ratio);
  policy.looks = section.looks;
  take_limits(request, policy);
  policy.mode = mode_of(request.mode.empty() ? section.mode : request.mode);
  policy.inconclusive =
      inconclusive_of(request.inconclusive.empty() ? section.inconclusive : request.inconclusive);
  policy.max_time_ns = section.max_time_ns;
  if (!request.max_time.empty()) {
    policy.max_time_ns = parse_time_ns(request.max_time);
    if (!policy.max_time_ns || *policy.max_time_ns <= 0) {
      throw Error(Error::Parts{
          "--max-time " + request.max_time, "is no time", "the unit is mandatory", "10m"});
    }
    if (*policy.max_time_ns > trial::kLongestCampaignNs) {
      throw Error(Error::Parts{"--max-time " + request.max_time,
                               "is too long",
                               "at most " + format_time(trial::kLongestCampaignNs),
                               ""});
    }
  }
  policy.structural_only = request.structural_only;
  if (policy.structural_only) {
    policy.budgets.clear();
  }
  gate::accept_rows(policy, section.accepted, utc_now().substr(0, 10));
  gate::check_policy(policy);
  return policy;
}

gate::Policy changed_policy(const GateRequest& request, gate::Policy recorded) {
  gate::Policy policy = std::move(recorded);
  if (!request.metrics.empty() || !request.budget.empty()) {
    policy.accepted.clear();  // the budgets that it tells of are not these
  }
  take_metrics(request, policy);
  take_limits(request, policy);
  policy.mode = request.mode.empty() ? policy.mode : mode_of(request.mode);
  policy.inconclusive =
      request.inconclusive.empty() ? policy.inconclusive : inconclusive_of(request.inconclusive);
  if (request.structural_only) {
    policy.structural_only = policy.compares_counts = true;
    policy.budgets.clear();
  }
  gate::check_policy(policy);
  return policy;
}

}  // namespace tune::cli
