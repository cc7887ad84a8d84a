#include "cli/verification_sitting.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/stats/quantile.h"
#include "cli/answer.h"
#include "cli/applied_form.h"
#include "cli/chosen_recommendation.h"
#include "cli/interruption.h"
#include "cli/machine_lock.h"
#include "cli/measure_campaign.h"
#include "cli/open_run.h"
#include "cli/prepare_inputs.h"
#include "cli/trial_machine.h"
#include "measure/campaign/confirming.h"
#include "measure/campaign/ledger.h"
#include "measure/campaign/recorded_run.h"
#include "measure/campaign/settings.h"
#include "measure/campaign/verification.h"
#include "scenario/plan.h"
#include "scenario/scenario.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <optional>
#include <string>
#include <utility>
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
            << " and what follows it; with a larger --time continue with: "
            << resume_command(directory) << "\n";
  return ExitCode::partial;
}

// Without a budget: a trial of its pairs failed, and --fail-fast ended there.
ExitCode left_open(const std::string& rule, const fs::path& directory) {
  std::cerr << "--verify: the pairs of " << rule << " ended before a verdict, for a trial failed; "
            << "why: tune report " << typed_path(directory)
            << "; continue with: " << resume_command(directory) << "\n";
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

namespace {

// Baseline and change are measured on what the run was measured on, or the prediction is about
// something else.
void check_same(const CampaignResult& run, const RunInput& input) {
  const auto refuse = [&](const std::string& why) {
    throw Error(Error::Parts{typed_path(run.directory),
                             "cannot be verified here",
                             why,
                             repeating_command(run.scenario)});
  };
  const machine::MachineFacts now = machine::read_machine_facts("/");
  if (now.cpu_model != run.machine.cpu_model || now.cpus != run.machine.cpus ||
      now.gpus != run.machine.gpus) {
    refuse("it was measured on " + std::to_string(run.machine.cpus) + " CPUs " +
           run.machine.cpu_model + ", this machine has " + std::to_string(now.cpus) + " CPUs " +
           now.cpu_model);
  }
  trial::Workload workload = run.scenario.workload;
  prepare_model(workload, run.scenario.model_place);
  if (workload.own != run.scenario.workload.own) {
    refuse(workload.own.path + " is not the one that it was measured with");
  }
  const trial::Data data = prepare_data(run.scenario, input.show).data;
  if (data.manifest_sha256 != run.data.manifest_sha256) {
    refuse("the data in " + data.path + " are not those that it was measured with");
  }
}

scenario::Scenario scenario_of(const CampaignResult& run,
                               const std::vector<std::string>& overrides) {
  scenario::Scenario scenario = scenario::read_scenario(run.scenario.text, run.scenario.file);
  for (const std::string& assignment : overrides) {
    campaign::apply_override(scenario, assignment);
  }
  scenario.workload.device = run.machine.device;  // whatever `auto` would be today
  return scenario;
}

// What differs from the campaign of the run, and the flags; where one continues the flags alone.
std::vector<std::string> overrides_of(const VerificationSitting& sitting) {
  std::vector<std::string> overrides =
      sitting.plan.goes_on
          ? std::vector<std::string>()
          : campaign::verification_overrides(sitting.run.overrides, sitting.plan.change);
  overrides.insert(overrides.end(), sitting.flags.begin(), sitting.flags.end());
  return overrides;
}

std::string greeting(const VerificationSitting& sitting, const OpenRun& open) {
  std::string text = trial::to_text(sitting.plan.change);
  text += " against the baseline of ";
  text += sitting.run.scenario.name;
  text += sitting.form ? ", in the form that is applied" : "";
  text += " in fresh pairs, ";
  text += sitting.plan.goes_on ? "going on in " : "in ";
  text += open.run.directory.string();
  return text;
}

}  // namespace

VerificationPlan plan_verification(const CampaignResult& run,
                                   const advice::Recommendation& recommendation) {
  VerificationPlan plan{.rule = recommendation.rule->id,
                        .change = campaign::change_of(recommendation)};
  if (const auto* const open = campaign::open_verification(run.verifications, plan.change)) {
    plan.directory = open->directory;
    plan.goes_on = true;
    plan.used_ns = open->elapsed_ns;
  } else {
    plan.directory = campaign::next_verification(run.directory, plan.rule);
  }
  return plan;
}

void check_plan(const CampaignResult& run, const VerificationPlan& plan, const std::string& where) {
  if (plan.goes_on) {
    return;
  }
  machine::MachineFacts machine = machine::read_machine_facts("/");
  machine.device = run.machine.device;
  const scenario::Plan cells = scenario::make_plan(
      scenario_of(run, campaign::verification_overrides(run.overrides, plan.change)), machine);
  if (cells.cells.size() > 1) {
    return;
  }
  std::string why = "nothing would differ from the baseline";
  if (!cells.collapsed.empty()) {
    why = cells.collapsed.front().knob + ": " + cells.collapsed.front().reason;
  } else if (!cells.forbidden.empty()) {
    why = "forbidden: " + cells.forbidden.front().text;
  }
  throw Error(Error::Parts{where, "the change cannot be measured here", why, ""});
}

std::int64_t first_look_ns(const CampaignResult& run, const std::vector<std::string>& flags) {
  std::vector<double> took_ns;
  for (const campaign::TrialRecord& trial : run.trials) {
    const bool is_whole = trial.stage == "search" || trial.stage == "confirm";
    if (is_whole && trial.spec.cell == "baseline" && campaign::has_completed(trial)) {
      took_ns.push_back(static_cast<double>(trial.outcome.end_ns - trial.outcome.start_ns));
    }
  }
  if (took_ns.empty()) {
    return 0;
  }
  scenario::Scenario scenario = run.scenario;
  for (const std::string& flag : flags) {
    campaign::apply_override(scenario, flag);
  }
  const std::int64_t pairs = campaign::confirm_looks(scenario, "confirm", 1).pairs.front();
  return 2 * pairs * std::llround(stats::median(std::move(took_ns)));
}

ExitCode measure_verification(const VerificationSitting& sitting) {
  RunRequest request = sitting.request;
  request.overrides = overrides_of(sitting);
  request.budget_ns = sitting.budget_ns;
  const auto open = [&](const RunInput& input) {
    check_same(sitting.run, input);
    if (!sitting.plan.goes_on) {
      return begin_run(scenario_of(sitting.run, request.overrides), sitting.plan.directory, input);
    }
    auto lock = lock_directory(sitting.plan.directory);
    campaign::RecordedRun recorded = campaign::read_recorded_run(sitting.plan.directory);
    check_resumable(recorded, request);
    OpenRun opened = resume_run(std::move(recorded), input);
    opened.lock.emplace(std::move(lock));
    return opened;
  };
  const auto make_form = [&](const campaign::RecordedRun& run, const scenario::Cell& cell) {
    return make_pair_form(script_run(sitting.run), run.directory, cell);
  };
  return measure_campaign(
      {.request = request,
       .utc = utc_now(),
       .start_ns = monotonic_ns(),
       .go_on = sitting.go_on,
       .worker = find_worker_program(sitting.run.scenario.workload),
       .open = open,
       .greeting = [&](const OpenRun& run) { return greeting(sitting, run); },
       .present = sitting.present,
       .make_form = sitting.form ? nullptr : CampaignToMeasure::MakeForm(make_form),
       .form = sitting.form});
}

}  // namespace tune::cli
