#include "base/error.h"
#include "base/file.h"
#include "base/sha256.h"
#include "base/unified_diff.h"
#include "cli/answer.h"
#include "cli/apply_script.h"
#include "cli/chosen_recommendation.h"
#include "cli/commands.h"
#include "cli/flags.h"
#include "cli/machine_lock.h"
#include "cli/run_flags.h"
#include "measure/campaign/settings.h"
#include "measure/campaign/verification.h"
#include "report/diagnosis_text.h"
#include "report/markup.h"
#include "report/result_of.h"
#include "scenario/edit_scenario.h"
#include "scenario/plan.h"
#include "scenario/scenario.h"
#include "trial/environment_knob.h"
#include "trial/knob_catalog.h"

#include <CLI/App.hpp>

#include <iostream>
#include <memory>
#include <utility>

namespace tune::cli {

namespace {

namespace fs = std::filesystem;

using advice::Recommendation;

constexpr const char* kCommand = "tune apply";
constexpr std::int64_t kLargestScenario = 1 << 20;

struct ApplyRequest {
  RecommendationWords words{.command = kCommand};
  std::string to;
  bool dry_run = false, writes = false;
  bool forces = false;
  bool although_refuted = false;  // what --force was before, for one reason each
  bool although_constraint = false;
  bool verifies = false;
  std::string pairs, budget;  // of --verify
  RunRequest run;             // -q, colours, the command as typed
  bool quiet = false;
};

// What the rule says of code, for a script of the user's own.
std::string code_text(const Recommendation& recommendation) {
  const rule::Rule& rule = *recommendation.rule;
  std::string text;
  const auto add = [&](const char* name, const std::string& code) {
    if (!code.empty()) {
      text += name;
      text += printable(code);
      text += "\n";
    }
  };
  add("C++:       ", recommendation.cpp);
  add("Python:    ", recommendation.python);
  for (const std::string& assignments : recommendation.environment) {
    const bool is_first = &assignments == &recommendation.environment.front();
    add(is_first ? "set:       " : "or set:    ", assignments + " (environment)");
  }
  add("do:        ", rule.change.text);
  add("transfers: ",
      rule.helps_python ? "python: the same change helps a Python script"
                        : "cpp: it is LibTorch's own, a Python script gains nothing by it");
  return text;
}

void refuse_refuted(const ApplyRequest& request, const Recommendation& recommendation) {
  const auto& measured = recommendation.measured;
  if (measured && measured->verdict == advice::MeasuredGain::Verdict::refuted &&
      !request.although_refuted && !request.forces) {
    throw Error(Error::Parts{std::string(kCommand) + " " + recommendation.id,
                             "this change has been measured and does not pay",
                             report::measured_words(report::recommendation_of(recommendation)),
                             "--force"});
  }
}

void refuse_broken(const ApplyRequest& request, const Recommendation& recommendation) {
  const auto& broken = recommendation.broken_constraints;
  if (!broken.empty() && !request.although_constraint && !request.forces) {
    throw Error(Error::Parts{std::string(kCommand) + " " + recommendation.id,
                             "trials of this change broke a constraint of the scenario",
                             one_line(broken.front()),
                             "--force"});
  }
}

fs::path scenario_file(const ApplyRequest& request, const campaign::CampaignResult& result) {
  fs::path file = request.to.empty() ? result.scenario.file : fs::path(request.to);
  if (type_of(file) != fs::file_type::regular) {
    const bool is_own = request.to.empty();
    if (is_own && file.filename() == scenario::kStandardInput) {
      throw Error(Error::Parts{typed_path(result.directory),
                               "its scenario is in no file",
                               "it was read from standard input or made of a command",
                               "--to FILE"});
    }
    throw Error(Error::Parts{typed_path(file),
                             "there is no such file",
                             is_own ? "the run was made from it" : "a scenario is one YAML file",
                             is_own ? "--to FILE" : ""});
  }
  return file;
}

// What a run began with besides its file is not in the file.
void tell_differences(const campaign::CampaignResult& result,
                      const fs::path& file,
                      const std::string& text) {
  if (sha256_hex(text) != result.scenario.sha256) {
    std::cerr << "note: " << typed_path(file)
              << " is another text than the run was made from: what was measured may not hold for "
                 "it\n";
  }
  for (const std::string& assignment : result.overrides) {
    const std::string key = assignment.substr(0, assignment.find('='));
    if (trial::is_knob(key)) {
      std::cerr << "note: the run was made with --set " << one_line(assignment)
                << ", which is not in the file\n";
    }
  }
}

// A baseline that `forbid` names could not be run.
void check_plan(const std::string& text,
                const fs::path& file,
                const machine::MachineFacts& machine) {
  try {
    scenario::make_plan(scenario::read_scenario(text, file), machine);
  } catch (const Error& error) {
    throw Error(Error::Parts{kCommand,
                             "nothing was written",
                             "the scenario could not be run then: " + as_reason(error),
                             ""});
  }
}

/// A change of a scenario's baseline.
struct ScenarioChange {
  trial::KnobSettings knobs;
  std::vector<std::string> settings;  ///< in words, a line each
  std::string code;                   ///< the same in code of the user's own, or ""
  bool writes = false;
  std::string write_command;  ///< what would write it, where nothing is written
};

ExitCode change_scenario(const ApplyRequest& request,
                         const campaign::CampaignResult& result,
                         const ScenarioChange& change) {
  const fs::path file = scenario_file(request, result);
  const std::string before = read_file(file, kLargestScenario);
  if (!request.quiet) {
    for (const std::string& setting : change.settings) {
      std::cerr << "set " << setting << "\n";
    }
    tell_differences(result, file, before);
  }
  const std::string after = scenario::with_baseline(before, file, change.knobs);
  if (after == before) {
    std::cerr << "nothing to change: " << typed_path(file) << " has "
              << trial::to_text(change.knobs) << " already\n";
    return ExitCode::fine;
  }
  check_plan(after, file, result.machine);
  std::cout << unified_diff(before, after, short_path(file));
  if (!change.writes) {
    std::cout << (change.write_command.empty() ? "" : "next:    " + change.write_command + "\n");
    return ExitCode::fine;
  }
  replace_file_synced(file, after);
  std::cout << "\n"
            << (change.code.empty() ? "" : "in code of your own:\n" + change.code + "\n")
            << "written: " << typed_path(file) << "\nnext:    tune run " << typed_path(file)
            << "\n";
  return ExitCode::fine;
}

ExitCode change_scenario(const ApplyRequest& request,
                         const campaign::CampaignResult& result,
                         const Recommendation& recommendation) {
  return change_scenario(request,
                         result,
                         {.knobs = campaign::change_of(recommendation),
                          .settings = settings_of(kCommand, recommendation),
                          .code = code_text(recommendation),
                          .writes = !request.dry_run});
}

void refuse_model(const ApplyRequest& request, const campaign::CampaignResult& result) {
  if (result.scenario.workload.script.exists()) {
    return;
  }
  throw Error(Error::Parts{std::string(kCommand) + (request.verifies ? " --verify" : " --write"),
                           "needs a run of a script of yours",
                           "this one measured " + one_line(result.scenario.workload.model),
                           std::string(request.verifies ? "tune verify R1" : "tune apply R1")});
}

// What --pairs and --time ask of the pairs of --verify.
ApplicationTest test_of(const ApplyRequest& request) {
  ApplicationTest test{.request = request.run};
  scenario::Scenario tried;
  if (!request.pairs.empty()) {
    test.flags.push_back("confirm_rounds=" + request.pairs);
    campaign::apply_override(tried, test.flags.back(), "--pairs " + request.pairs);
  }
  if (!request.budget.empty()) {
    campaign::apply_override(tried, "budget=" + request.budget, "--time " + request.budget);
    test.budget_ns = tried.budget_ns;
  }
  return test;
}

ExitCode apply_setting(const ApplyRequest& request,
                       const campaign::CampaignResult& result,
                       trial::KnobSettings knobs) {
  const ApplicationTest test = test_of(request);
  auto injected = measured_gain(result, knobs);
  return apply_to_script({.run = result,
                          .knobs = std::move(knobs),
                          .id = request.words.id,
                          .writes = request.writes,
                          .quiet = request.quiet,
                          .test = request.verifies ? &test : nullptr,
                          .injected = std::move(injected)});
}

// What the best setting of a model has instead of its scenario's baseline.
ScenarioChange change_to(const ApplyRequest& request,
                         const campaign::CampaignResult& result,
                         const trial::KnobSettings& best) {
  const trial::KnobSettings& baseline = result.plan.cells.front().knobs;
  ScenarioChange change{.writes = request.writes};
  for (const auto& [name, value] : best) {
    const auto before = baseline.find(name);
    if (before == baseline.end() || before->second != value) {
      change.knobs[name] = value;
      change.settings.push_back(
          name + ": " + trial::to_text(value) +
          (before == baseline.end() ? "" : " (was " + trial::to_text(before->second) + ")"));
    }
  }
  const std::string to = request.to.empty() ? "" : " --to " + typed_path(request.to);
  change.write_command = "tune apply best " + typed_path(result.directory) + to + " --write";
  return change;
}

ExitCode apply_best(const ApplyRequest& request) {
  const campaign::CampaignResult result = recommending_run(request.words);
  const bool is_of_script = result.scenario.workload.script.exists();
  if (is_of_script && !request.to.empty()) {
    throw Error(Error::Parts{
        "--to", "does not go with best", "the run measured a script", "tune apply R1 --to FILE"});
  }
  if (request.verifies) {
    refuse_model(request, result);
  }
  const bool writes_as_it_is = request.writes && !request.verifies;
  trial::KnobSettings best =
      best_setting(result, writes_as_it_is, request.although_refuted || request.forces);
  return is_of_script ? apply_setting(request, result, std::move(best))
                      : change_scenario(request, result, change_to(request, result, best));
}

// The baseline with the change.
ExitCode change_script(const ApplyRequest& request,
                       const campaign::CampaignResult& result,
                       const Recommendation& recommendation) {
  for (const std::string& setting : settings_of(kCommand, recommendation)) {
    std::cerr << (request.quiet ? "" : "set " + setting + "\n");
  }
  trial::KnobSettings knobs = result.plan.cells.front().knobs;
  for (const auto& [name, value] : campaign::change_of(recommendation)) {
    knobs[name] = value;
  }
  ApplyRequest silent = request;
  silent.quiet = true;
  return apply_setting(silent, result, std::move(knobs));
}

ExitCode apply(const ApplyRequest& request) {
  if (request.words.id == "best") {
    return apply_best(request);
  }
  const ChosenRecommendation chosen = choose_recommendation(request.words);
  const Recommendation& recommendation = chosen.get();
  if (request.writes || request.verifies) {
    refuse_model(request, chosen.result);
  }
  refuse_refuted(request, recommendation);
  refuse_broken(request, recommendation);
  if (!request.quiet) {
    std::cerr << heading_of(recommendation) << "\n";
    for (const std::string& risk : recommendation.risks) {
      std::cerr << "risk: " << one_line(risk) << "\n";
    }
  }
  const bool is_of_script = chosen.result.scenario.workload.script.exists() && request.to.empty();
  if (!recommendation.knobs.empty() && is_of_script) {
    return change_script(request, chosen.result, recommendation);
  }
  if (!recommendation.knobs.empty()) {
    return change_scenario(request, chosen.result, recommendation);
  }
  for (const std::string& rejected : recommendation.rejected) {
    std::cerr << "not set: " << one_line(rejected) << "\n";
  }
  std::cout << "no setting of a scenario does this: it is a change of code\n"
            << code_text(recommendation);
  return ExitCode::fine;
}

}  // namespace

void add_apply(CLI::App& app, Invocation& invocation) {
  CLI::App& command = add_command(
      app,
      {"apply",
       "Writes a recommendation of a run into the baseline of the scenario that the run was made "
       "from. For best, the winning setting, it prints the difference, and --write writes it. "
       "Comments, order, quotes and line ends of the file stay; the difference is printed. For a "
       "change that no setting makes, it prints the code, C++ and Python. In a run of a script, "
       "a recommendation or the best setting becomes the script's own options, its environment, "
       "or a difference of its source, which --write writes. --verify first runs the script with "
       "that change and nothing injected against the unchanged one, in fresh pairs, and says "
       "whether the change gives the gain that was measured (CONFIRMED 0, NOT CONFIRMED 1, or 3 "
       "where the pairs cannot say). No file of the script is touched; with --write only what is "
       "confirmed is written.",
       {"tune apply R1",
        "tune apply synchronous-loader tune-runs/latest --to mine.yaml -n",
        "tune apply best tune-runs/latest --verify --write"}});
  const auto request = std::make_shared<ApplyRequest>();
  command
      .add_option("ID", request->words.id, "R1, or the id of its rule; best: the winning setting")
      ->required();
  command.add_option("RUN", request->words.run, "Run directory, default: tune-runs/latest");
  command.add_option("--to", request->to, "Scenario to change instead")->type_name("FILE");
  CLI::Option* const dry_run =
      command.add_flag("-n,--dry-run", request->dry_run, "Print the difference only");
  command
      .add_flag("--write",
                request->writes,
                "Write the difference of best into the scenario, or of a script into its files")
      ->excludes(dry_run);
  CLI::Option* const verify =
      command.add_flag("--verify", request->verifies, "Measure a script's change as it is applied")
          ->excludes(dry_run);
  command.add_option("--pairs", request->pairs, "At most so many pairs of --verify")
      ->type_name("N")
      ->needs(verify);
  command.add_option("--time", request->budget, "Wall time of --verify, e.g. 10m")
      ->type_name("TIME")
      ->needs(verify);
  add_wait_flag(command, request->run.waits);
  command.add_flag(
      "--force",
      request->forces,
      "Apply it although fresh pairs showed that it does not pay, or its trials broke a "
      "constraint of the scenario");
  const std::string old_name;  // no help shows this group
  command.add_flag("--although-refuted", request->although_refuted)->group(old_name);
  command.add_flag("--although-constraint", request->although_constraint)->group(old_name);
  command.add_option("--rules", request->words.rules, "Folder of your own rules (*.yaml)")
      ->type_name("DIR");
  command.callback([&invocation, request] {
    invocation.run = [&invocation, request] {
      request->quiet = invocation.quiet;
      take_global_flags(invocation, request->run);
      return apply(*request);
    };
  });
}

}  // namespace tune::cli
