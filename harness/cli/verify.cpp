#include "base/error.h"
#include "base/monotonic_clock.h"
#include "base/units.h"
#include "campaign/overrides.h"
#include "campaign/verification.h"
#include "cli/add_command.h"
#include "cli/answer.h"
#include "cli/chosen_recommendation.h"
#include "cli/commands.h"
#include "cli/keep_history.h"
#include "cli/machine_lock.h"
#include "cli/measure_campaign.h"
#include "cli/open_run.h"
#include "cli/prepare_data.h"
#include "cli/prepare_model.h"
#include "cli/scenario_flags.h"
#include "report/diagnosis_text.h"
#include "report/markup.h"
#include "report/result_json.h"
#include "report/write_reports.h"
#include "scenario/cell.h"
#include "scenario/read_scenario.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <iostream>
#include <memory>
#include <utility>

namespace tune::cli {

namespace {

namespace fs = std::filesystem;

using advice::MeasuredGain;
using advice::Recommendation;
using campaign::Verification;

constexpr const char* kCommand = "tune verify";

struct VerifyRequest {
  RecommendationWords words{.command = kCommand};
  ScenarioFlags flags;  ///< --budget and --seed
  std::string pairs;
  RunRequest run;
};

/// What is measured, and where.
struct Plan {
  const VerifyRequest& request;
  const ChosenRecommendation& chosen;
  trial::KnobSettings change;
  fs::path directory;
  bool goes_on = false;  ///< it has begun before
};

std::string shell_command(const char* command, const ChosenRecommendation& chosen) {
  std::string text = command;
  text += " ";
  text += chosen.rule;
  text += " ";
  text += quoted(chosen.result.directory);
  return text;
}

ExitCode code_of(const Recommendation& recommendation, const Verification* verification) {
  if (recommendation.measured && !recommendation.broken_constraints.empty()) {
    return ExitCode::negative_verdict;  // whatever it gains
  }
  if (recommendation.measured) {
    switch (recommendation.measured->verdict) {
      case MeasuredGain::Verdict::confirmed:
        return ExitCode::fine;
      case MeasuredGain::Verdict::refuted:
        return ExitCode::negative_verdict;
      case MeasuredGain::Verdict::ambiguous:
        return ExitCode::inconclusive;
    }
  }
  return verification != nullptr && verification->is_open ? ExitCode::partial
                                                          : ExitCode::negative_verdict;
}

// Where the measured gain lies in the predicted range.
std::string prediction_words(const Recommendation& recommendation) {
  std::string text = report::gain_words(recommendation.predicted);
  if (!recommendation.predicted.is_known() || !recommendation.measured) {
    return text;
  }
  const double measured = recommendation.measured->value;
  text += measured < *recommendation.predicted.lower   ? ": the gain is below it"
          : measured > *recommendation.predicted.upper ? ": the gain is above it"
                                                       : ": the gain is within it";
  return text;
}

std::string verify_text(const ChosenRecommendation& chosen, const Verification* verification) {
  const Recommendation& recommendation = chosen.get();
  std::string text = heading_of(recommendation) + "\n";
  for (const std::string& setting : settings_of(kCommand, recommendation)) {
    text += "set " + setting + "\n";
  }
  text += prediction_words(recommendation) + "\n";
  if (verification != nullptr && verification->confirmation &&
      !verification->confirmation->why.empty()) {
    text += "note: " + report::one_line(verification->confirmation->why) + "\n";
  }
  text += recommendation.measured ? report::measured_words(recommendation)
                                  : "no verdict: " + report::one_line(recommendation.unmeasured);
  const bool is_open = verification != nullptr && verification->is_open;
  const bool pays = recommendation.measured && recommendation.broken_constraints.empty() &&
                    recommendation.measured->verdict == MeasuredGain::Verdict::confirmed;
  text += "\n";
  if (is_open) {
    text += "go on:   " + shell_command(kCommand, chosen);
  } else if (pays) {
    text += "next:    " + shell_command("tune apply", chosen);
  } else {
    text += "next:    tune report " + quoted(chosen.result.directory);
  }
  text += "\n";
  return text;
}

std::string verify_json(const ChosenRecommendation& chosen, const Verification* verification) {
  using Json = nlohmann::ordered_json;
  const auto whole = Json::parse(report::to_result_json(chosen.result));
  Json json = {{"schema", whole.at("schema")},
               {"kind", "verify"},
               {"run", chosen.result.directory.string()},
               {"directory", nullptr},
               {"complete", verification == nullptr || !verification->is_open}};
  if (verification != nullptr) {
    json["directory"] = verification->directory.string();
  }
  for (const Json& recommendation : whole.at("recommendations")) {
    if (recommendation.at("rule") == chosen.rule) {
      json["recommendation"] = recommendation;
    }
  }
  return json.dump(2) + "\n";
}

ExitCode tell(const VerifyRequest& request, const ChosenRecommendation& chosen) {
  const Recommendation& recommendation = chosen.get();
  const Verification* const verification =
      campaign::find_verification(chosen.result.verifications, campaign::change_of(recommendation));
  std::cout << (request.run.as_json ? verify_json(chosen, verification)
                                    : verify_text(chosen, verification))
            << std::flush;
  return code_of(recommendation, verification);
}

// What the run's directory says now, with the reports that go with it. The pairs are on disk
// whatever happens here.
ExitCode present(const Plan& plan) {
  try {
    const ChosenRecommendation now{
        .result = diagnosed_run(plan.chosen.result.directory, plan.request.words.rules),
        .rule = plan.chosen.rule};
    report::write_reports(now.result);
    note_in_history(now.result.directory);  // a prediction of the run has been judged
    return tell(plan.request, now);
  } catch (const Error& error) {
    std::cerr << "the pairs are saved, but the report could not be made: " << error.what()
              << "\nwhen that is mended: " << shell_command(kCommand, plan.chosen) << "\n";
    return ExitCode::partial;
  }
}

// Baseline and change are measured on what the run was measured on, or the prediction is about
// something else.
void check_same(const campaign::CampaignResult& run, const RunInput& input) {
  const auto refuse = [&](const std::string& why) {
    throw Error(Error::Parts{quoted(run.directory),
                             "cannot be verified here",
                             why,
                             "tune run " + quoted(run.scenario.file)});
  };
  const machine::MachineFacts now = machine::read_machine_facts("/");
  if (now.cpu_model != run.machine.cpu_model || now.cpus != run.machine.cpus ||
      now.gpus != run.machine.gpus) {
    refuse("it was measured on " + std::to_string(run.machine.cpus) + " CPUs " +
           run.machine.cpu_model + ", this machine has " + std::to_string(now.cpus) + " CPUs " +
           now.cpu_model);
  }
  trial::Workload workload = run.scenario.workload;
  prepare_model(workload, run.scenario.file);
  if (workload.own != run.scenario.workload.own) {
    refuse(workload.own.path + " is not the one that it was measured with");
  }
  const trial::Data data = prepare_data(run.scenario, input.show);
  if (data.manifest_sha256 != run.data.manifest_sha256) {
    refuse("the data in " + data.path + " are not those that it was measured with");
  }
}

// A change that cannot matter here, or that `forbid` names, leaves the baseline alone.
void check_plan(const Plan& plan, const scenario::Scenario& scenario) {
  const scenario::Plan cells = scenario::make_plan(scenario, machine::read_machine_facts("/"));
  if (cells.cells.size() > 1) {
    return;
  }
  std::string why = "nothing would differ from the baseline";
  if (!cells.collapsed.empty()) {
    why = cells.collapsed.front().knob + ": " + cells.collapsed.front().reason;
  } else if (!cells.forbidden.empty()) {
    why = "forbidden: " + cells.forbidden.front().text;
  }
  throw Error(Error::Parts{std::string(kCommand) + " " + plan.chosen.get().id,
                           "the change cannot be measured here",
                           why,
                           ""});
}

scenario::Scenario scenario_of(const Plan& plan) {
  const scenario::Scenario& run = plan.chosen.result.scenario;
  scenario::Scenario scenario = scenario::read_scenario(run.text, run.file);
  for (const std::string& assignment : plan.request.run.overrides) {
    campaign::apply_override(scenario, assignment);
  }
  return scenario;
}

std::string greeting(const Plan& plan, const OpenRun& open) {
  std::string text = trial::to_text(plan.change);
  text += " against the baseline of ";
  text += plan.chosen.result.scenario.name;
  text += " in fresh pairs, ";
  text += plan.goes_on ? "going on in " : "in ";
  text += open.run.directory.string();
  return text;
}

ExitCode measure(const Plan& plan) {
  const std::int64_t start_ns = monotonic_ns();
  const std::string utc = utc_now();
  const auto lock = lock_machine(plan.directory);
  if (!lock) {
    return ExitCode::not_available;
  }
  const RunRequest& request = plan.request.run;
  if (!plan.goes_on) {
    check_plan(plan, scenario_of(plan));
  }
  const auto open = [&](const RunInput& input) {
    check_same(plan.chosen.result, input);
    if (!plan.goes_on) {
      return begin_run(scenario_of(plan), plan.directory, input);
    }
    campaign::RecordedRun recorded = campaign::read_recorded_run(plan.directory);
    check_resumable(recorded, request);
    return resume_run(std::move(recorded), input);
  };
  return measure_campaign(
      {.request = request,
       .utc = utc,
       .start_ns = start_ns,
       .go_on = shell_command(kCommand, plan.chosen),
       .open = open,
       .greeting = [&](const OpenRun& opened) { return greeting(plan, opened); },
       .present = [&] { return present(plan); }});
}

// The flags, and how the campaign of a verification differs from the run's.
void add_overrides(VerifyRequest& request, const Plan& plan) {
  RunRequest& run = request.run;
  std::vector<std::string> flags = request.flags.overrides();
  if (!request.pairs.empty()) {
    flags.push_back("confirm_rounds=" + request.pairs);
  }
  if (!request.flags.budget.empty()) {
    run.budget_ns = parse_time_ns(request.flags.budget);
  }
  if (!plan.goes_on) {
    run.overrides = campaign::verification_overrides(plan.chosen.result.overrides, plan.change);
  }
  run.overrides.insert(run.overrides.end(), flags.begin(), flags.end());
}

ExitCode verify(VerifyRequest& request) {
  const ChosenRecommendation chosen = choose_recommendation(request.words);
  const Recommendation& recommendation = chosen.get();
  if (recommendation.knobs.empty()) {
    throw Error(Error::Parts{std::string(kCommand) + " " + recommendation.id,
                             "is a change of code, which tune cannot make",
                             "change it, then run the scenario again",
                             shell_command("tune apply", chosen)});
  }
  settings_of(kCommand, recommendation);  // complains about a value that is not known
  Plan plan{.request = request, .chosen = chosen, .change = campaign::change_of(recommendation)};
  const Verification* const tried =
      campaign::find_verification(chosen.result.verifications, plan.change);
  plan.goes_on = tried != nullptr && tried->is_open;
  if (recommendation.measured && !plan.goes_on) {
    std::cerr << "measured already: pairs that are added after a verdict would say less than they "
                 "seem to; a new run measures anew\n";
    return tell(request, chosen);
  }
  plan.directory = plan.goes_on ? tried->directory
                                : campaign::next_verification(chosen.result.directory, chosen.rule);
  add_overrides(request, plan);
  return measure(plan);
}

}  // namespace

void add_verify(CLI::App& app, Invocation& invocation) {
  CLI::App& command = add_command(
      app,
      {"verify",
       "Measures a recommendation of a run: the run's baseline with and without that change alone, "
       "in pairs of fresh processes, also where the grid has no such cell. The verdict (CONFIRMED "
       "0, REFUTED 1, AMBIGUOUS 3) goes into the run directory and its reports. Called again, it "
       "goes on where it was cut short.",
       {"tune verify R1", "tune verify synchronous-loader tune-runs/latest --budget 10m"}});
  const auto request = std::make_shared<VerifyRequest>();
  command.add_option("ID", request->words.id, "R1, or the id of its rule")->required();
  command.add_option("RUN", request->words.run, "Run directory, default: tune-runs/latest");
  command.add_option("--budget", request->flags.budget, "Wall time of the verification, e.g. 10m")
      ->type_name("TIME");
  command.add_option("--pairs", request->pairs, "At most so many pairs")->type_name("N");
  command.add_option("--seed", request->flags.seed, "Of the order of processes")->type_name("N");
  command.add_option("--rules", request->words.rules, "Folder of your own rules (*.yaml)")
      ->type_name("DIR");
  command.add_flag("--json", request->run.as_json, "The recommendation as result.json has it");
  command.callback([&invocation, request] {
    invocation.run = [&invocation, request] {
      request->run.quiet = invocation.quiet;
      request->run.words = invocation.words;
      request->run.color = invocation.color;
      request->run.plain_progress = invocation.plain_progress;
      return verify(*request);
    };
  });
}

}  // namespace tune::cli
