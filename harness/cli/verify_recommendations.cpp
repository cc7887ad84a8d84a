#include "cli/verify_recommendations.h"

#include "base/error.h"
#include "campaign/recorded_run.h"
#include "campaign/verification.h"
#include "cli/answer.h"
#include "cli/chosen_recommendation.h"
#include "cli/interruption.h"
#include "cli/verification_sitting.h"

#include <algorithm>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

namespace tune::cli {

namespace {

namespace fs = std::filesystem;

using advice::Recommendation;
using campaign::CampaignResult;

// The rules of the first recommendations that are settings, as they are ranked now; once, for a
// verdict moves them.
std::vector<std::string> wanted_rules(const CampaignResult& run) {
  std::vector<std::string> rules;
  const std::size_t most = campaign::wanted_verifications(run.scenario);
  if (!run.diagnosis) {
    return rules;
  }
  for (const Recommendation& recommendation : run.diagnosis->diagnosis.recommendations) {
    const bool may_pay = recommendation.broken_constraints.empty();
    if (rules.size() < most && may_pay && !campaign::change_of(recommendation).empty()) {
      rules.push_back(recommendation.rule->id);
    }
  }
  return rules;
}

// The budget is of everything that the run directory holds.
std::optional<std::int64_t> left_ns(const RunRequest& request, const CampaignResult& run) {
  auto left = request.budget_ns ? request.budget_ns : run.scenario.budget_ns;
  if (left) {
    *left -= run.elapsed_ns;
    for (const campaign::Verification& verification : run.verifications) {
      *left -= verification.elapsed_ns;
    }
  }
  return left;
}

// A recommendation may be gone: the verdict of another one taught the rules.
bool lacks_verdict(const CampaignResult& run, const std::string& rule) {
  const Recommendation* const recommendation = find_recommendation(run, rule);
  return recommendation != nullptr && !recommendation->measured;
}

// Says why, where it cannot.
bool can_be_measured(const CampaignResult& run,
                     const VerificationPlan& plan,
                     const RunRequest& request) {
  try {
    check_plan(run, plan, plan.rule);
    return true;
  } catch (const Error& error) {
    if (!request.quiet) {
      std::cerr << "not verified: " << error.what() << "\n";
    }
    return false;
  }
}

ExitCode out_of_time(const std::string& rule, const fs::path& directory) {
  std::cerr << "--verify: no time of the budget is left for " << rule
            << " and what follows it; with a larger --budget go on with: "
            << resume_command(directory) << "\n";
  return ExitCode::partial;
}

// Without a budget: a trial of its pairs failed, and --fail-fast ended there.
ExitCode left_open(const std::string& rule, const fs::path& directory) {
  std::cerr << "--verify: the pairs of " << rule << " ended before a verdict, for a trial failed; "
            << "why: tune report " << quoted(directory)
            << "; go on with: " << resume_command(directory) << "\n";
  return ExitCode::partial;
}

// One that ended without a verdict, for its setting cannot run, is none that is missing.
bool is_left(const CampaignResult& run, const std::string& rule) {
  const auto& known = run.verifications;
  const auto change = campaign::change_of(*find_recommendation(run, rule));
  return campaign::find_verification(known, change) == nullptr ||
         campaign::open_verification(known, change) != nullptr;
}

}  // namespace

bool lacks_verifications(const RunRequest& request, const fs::path& directory) {
  if (campaign::wanted_verifications(campaign::read_recorded_run(directory).scenario) == 0) {
    return false;
  }
  const CampaignResult run = diagnosed_run(directory, request.rules);
  RunRequest silent = request;
  silent.quiet = true;
  const std::vector<std::string> rules = wanted_rules(run);
  return std::any_of(rules.begin(), rules.end(), [&](const std::string& rule) {
    return lacks_verdict(run, rule) && is_left(run, rule) &&
           can_be_measured(run, plan_verification(run, *find_recommendation(run, rule)), silent);
  });
}

ExitCode verify_recommendations(const RunRequest& request, const fs::path& directory) {
  CampaignResult run = diagnosed_run(directory, request.rules);
  const Interruption interruption;
  for (const std::string& rule : wanted_rules(run)) {
    if (!lacks_verdict(run, rule)) {
      continue;
    }
    const VerificationPlan plan = plan_verification(run, *find_recommendation(run, rule));
    if (!can_be_measured(run, plan, request)) {
      continue;
    }
    const auto left = left_ns(request, run);
    if (left && *left <= (plan.goes_on ? 0 : first_look_ns(run, {}))) {
      return out_of_time(rule, directory);
    }
    const ExitCode code = measure_verification(
        {.request = request,
         .run = run,
         .plan = plan,
         .flags = {},
         .budget_ns = left ? std::optional(*left + plan.used_ns) : std::nullopt,
         .go_on = resume_command(directory),
         .present = [] { return ExitCode::fine; }});
    if (code != ExitCode::fine || interruption.asked()) {
      return code != ExitCode::fine ? code : interruption.exit_code();
    }
    run = diagnosed_run(directory, request.rules);
    if (lacks_verdict(run, rule) &&
        plan_verification(run, *find_recommendation(run, rule)).goes_on) {
      return left ? out_of_time(rule, directory) : left_open(rule, directory);
    }
  }
  return ExitCode::fine;
}

}  // namespace tune::cli
