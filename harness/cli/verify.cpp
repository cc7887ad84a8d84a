#include "base/clock.h"
#include "base/error.h"
#include "base/text.h"
#include "cli/answer.h"
#include "cli/ask_rules.h"
#include "cli/chosen_recommendation.h"
#include "cli/commands.h"
#include "cli/flags.h"
#include "cli/keep_history.h"
#include "cli/kept_report.h"
#include "cli/machine_lock.h"
#include "cli/run_flags.h"
#include "cli/scenario_flags.h"
#include "cli/verification_sitting.h"
#include "cli/verify_answer.h"
#include "measure/campaign/ledger.h"
#include "measure/campaign/settings.h"
#include "measure/campaign/verification.h"
#include "report/write_reports.h"

#include <CLI/App.hpp>

#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>
#include <utility>

namespace tune::cli {

namespace {

namespace fs = std::filesystem;

using advice::Recommendation;
using campaign::CampaignResult;

constexpr const char* kCommand = "tune verify";

struct VerifyRequest {
  std::string first;                 ///< ID
  std::vector<std::string> further;  ///< more of them, and last the run directory
  std::string rules, pairs, until;
  ScenarioFlags flags;  ///< --time and --seed
  RunRequest run;
};

/// The words that were typed, told apart.
struct Named {
  std::vector<std::string> ids;
  std::string run;  ///< "": the latest one here
};

// The last word is the run unless it can only be a recommendation.
Named told_apart(const VerifyRequest& request) {
  Named named{.ids = {request.first}};
  named.ids.insert(named.ids.end(), request.further.begin(), request.further.end());
  const std::string last = named.ids.back();
  const bool is_run = is_file(campaign::ledger_file(last));  // it may well be called "r2"
  if (request.further.empty() || (is_number(last) && !is_run)) {
    return named;
  }
  std::vector<std::string> ids;
  for (const rule::Rule& rule : read_rules({.folder = request.rules}).rules) {
    ids.push_back(rule.id);
  }
  if (!is_run && std::find(ids.begin(), ids.end(), last) != ids.end()) {
    return named;
  }
  std::error_code unknown;
  if (!fs::exists(last, unknown) && last.find('/') == std::string::npos) {
    throw Error(Error::Parts{std::string(kCommand) + " " + last,
                             "is neither a run directory nor the id of a rule",
                             "rules are listed by 'tune rules list'",
                             did_you_mean(last, ids)});
  }
  named.run = last;
  named.ids.pop_back();
  return named;
}

// "--pairs 7" as the campaign of a verification takes it; complains about the flag.
void add_override(const char* key,
                  const std::string& value,
                  const std::string& flag,
                  std::vector<std::string>& overrides) {
  if (!value.empty()) {
    scenario::Scenario tried;
    overrides.push_back(std::string(key) + "=" + value);
    campaign::apply_override(tried, overrides.back(), flag + " " + value);
  }
}

/// What the flags ask of every verification.
struct Wish {
  std::vector<std::string> overrides;     ///< of its campaign
  std::optional<std::int64_t> budget_ns;  ///< of all of them together
  std::optional<double> until;
};

Wish wish_of(const VerifyRequest& request) {
  Wish wish;
  scenario::Scenario tried;
  for (const std::string& assignment : request.flags.overrides()) {
    if (assignment.starts_with("budget=")) {
      campaign::apply_override(tried, assignment);
    } else {
      wish.overrides.push_back(assignment);
    }
  }
  wish.budget_ns = tried.budget_ns;
  add_override("until", request.until, "--until", wish.overrides);
  add_override("confirm_rounds", request.pairs, "--pairs", wish.overrides);
  if (!request.until.empty()) {
    campaign::apply_override(tried, "until=" + request.until);
  }
  wish.until = tried.confirm_until;
  return wish;
}

// A precision is something else than a verdict: pairs of their own may be spent on it, unless the
// gain is known that well, or all looks of such pairs have been taken.
bool is_settled(const CampaignResult& run,
                const Recommendation& recommendation,
                const std::optional<double>& until) {
  if (!recommendation.measured) {
    return false;
  }
  const advice::MeasuredGain& gain = *recommendation.measured;
  if (!until || (gain.upper - gain.lower) / 2 <= *until) {
    return true;
  }
  const auto* const tried =
      campaign::find_verification(run.verifications, campaign::change_of(recommendation));
  return tried != nullptr && tried->until && *tried->until <= *until;
}

/// Measures one recommendation after the other, and tells of each.
class Verifier {
 public:
  Verifier(const VerifyRequest& request, fs::path directory, std::vector<std::string> rules)
      : request_(request),
        wish_(wish_of(request)),
        left_ns_(wish_.budget_ns),
        directory_(std::move(directory)),
        rules_(std::move(rules)) {}

  /// What cannot be measured is said before anything runs.
  void check(const CampaignResult& run) const {
    for (const std::string& rule : rules_) {
      const Recommendation& recommendation = *find_recommendation(run, rule);
      const std::string where = std::string(kCommand) + " " + recommendation.id;
      if (recommendation.knobs.empty()) {
        throw Error(Error::Parts{where,
                                 "is a change of code, which tune cannot make",
                                 "change it, then run the scenario again",
                                 command_with_rule("tune apply", rule, directory_)});
      }
      settings_of(kCommand, recommendation);  // complains about a value that is not known
      const VerificationPlan plan = plan_verification(run, recommendation);
      if (plan.goes_on || !is_settled(run, recommendation, wish_.until)) {
        check_plan(run, plan, where);
      }
    }
  }

  /// `run` is the run as it is now.
  ExitCode verify_all(CampaignResult run) {
    ExitCode code = ExitCode::fine;
    std::optional<CampaignResult> now(std::move(run));
    for (const std::string& rule : rules_) {
      if (!now) {
        now = diagnosed_run(directory_, request_.rules);
      }
      ChosenRecommendation chosen{.result = *std::exchange(now, std::nullopt), .rule = rule};
      const ExitCode one = try_one(chosen);
      code = worse(code, one);
      if (ends_all(one)) {
        break;
      }
    }
    print_documents();
    return code;
  }

 private:
  // What came in between, or will be no better for the next.
  static bool ends_all(ExitCode code) {
    return code == ExitCode::our_bug || code == ExitCode::not_available ||
           code == ExitCode::interrupted || code == ExitCode::terminated ||
           code == ExitCode::hung_up;
  }

  // What has been measured is shown, whatever the next one meets.
  ExitCode try_one(const ChosenRecommendation& chosen) {
    try {
      return verify(chosen);
    } catch (const MachineError& error) {
      std::cerr << error.what() << "\n";
      return ExitCode::not_available;
    } catch (const Error& error) {
      if (!has_told_) {
        throw;
      }
      std::cerr << error.what() << "\n";
      return ExitCode::partial;
    }
  }

  ExitCode verify(const ChosenRecommendation& chosen) {
    const VerificationPlan plan = plan_verification(chosen.result, chosen.get());
    if (!plan.goes_on && is_settled(chosen.result, chosen.get(), wish_.until)) {
      std::cerr << "measured already: pairs that are added after a verdict would say less than "
                   "they seem to; a new run measures again\n";
      return tell({.chosen = chosen});
    }
    if (rules_.size() > 1 && !has_time(chosen.result, plan)) {
      *left_ns_ -= plan.used_ns;
      return tell({.chosen = chosen, .has_time = false});
    }
    if (!holds_lock(plan.directory)) {
      return ExitCode::not_available;
    }
    const std::int64_t start_ns = monotonic_ns();
    const ExitCode code = measure_verification({.request = request_.run,
                                                .run = chosen.result,
                                                .plan = plan,
                                                .flags = wish_.overrides,
                                                .budget_ns = left_ns_,
                                                .go_on = go_on(),
                                                .present = [&] { return present(chosen); }});
    if (left_ns_) {  // earlier sittings count, as they do in a run
      *left_ns_ -= plan.used_ns + monotonic_ns() - start_ns;
    }
    return code;
  }

  // Pairs without a verdict serve nobody, but the first is what the budget was given for.
  bool has_time(const CampaignResult& run, const VerificationPlan& plan) const {
    const bool is_first = !lock_.has_value();
    const std::int64_t needed_ns =
        plan.goes_on || is_first ? plan.used_ns : first_look_ns(run, wish_.overrides);
    return !left_ns_ || *left_ns_ > needed_ns;
  }

  // Taken with the first that is measured, and kept to the end.
  bool holds_lock(const fs::path& directory) {
    auto lock = lock_ ? std::nullopt : lock_machine(directory, request_.run.waits);
    if (lock) {
      directory_lock_.emplace(lock_directory(directory_));
      lock_.emplace(std::move(*lock));
    }
    return lock_.has_value();
  }

  // With the flags for those that have not begun; one that has keeps its own.
  std::string go_on() const {
    if (rules_.size() == 1) {
      return command_with_rule(kCommand, rules_.front(), directory_);
    }
    std::string text = kCommand;
    for (const std::string& rule : rules_) {
      text += " " + rule;
    }
    text += " " + typed_path(directory_);
    text += request_.pairs.empty() ? "" : " --pairs " + request_.pairs;
    text += request_.until.empty() ? "" : " --until " + request_.until;
    return request_.flags.has("seed") ? text + " --seed " + request_.flags.value_of("seed") : text;
  }

  // What the run's directory says now, with the reports that go with it. The pairs are on disk
  // whatever happens here.
  ExitCode present(const ChosenRecommendation& chosen) {
    try {
      const ChosenRecommendation now{.result = diagnosed_run(directory_, request_.rules),
                                     .rule = chosen.rule};
      report::write_reports(now.result);
      note_in_history(now.result.directory);  // a prediction of the run has been judged
      return tell({.chosen = now});
    } catch (const Error& error) {
      std::cerr << "the pairs are saved, but the report could not be made: " << error.what()
                << "\nwhen that is mended: " << command_with_rule(kCommand, chosen.rule, directory_)
                << "\n";
      return ExitCode::partial;
    }
  }

  ExitCode tell(const VerifyAnswer& answer) {
    if (request_.run.as_json) {
      documents_.push_back(verify_json(answer));
    } else {
      std::cout << (has_told_ ? "\n" : "") << verify_text(answer) << std::flush;
    }
    has_told_ = true;
    return verify_code(answer);
  }

  // A list where several were asked for, however many were come to.
  void print_documents() const {
    if (!request_.run.as_json || (rules_.size() == 1 && documents_.empty())) {
      return;
    }
    std::string text;
    for (const std::string& document : documents_) {
      text += (text.empty() ? "" : ",\n") + document;
    }
    std::cout << (rules_.size() == 1 ? text : "[" + text + "]") << "\n" << std::flush;
  }

  const VerifyRequest& request_;
  Wish wish_;
  std::optional<std::int64_t> left_ns_;  ///< of the budget; nothing: there is none
  fs::path directory_;
  std::vector<std::string> rules_;
  std::optional<campaign::RunLock> lock_;
  std::optional<campaign::DirectoryLock> directory_lock_;
  std::vector<std::string> documents_;
  bool has_told_ = false;
};

ExitCode verify(VerifyRequest& request) {
  const Named named = told_apart(request);
  RecommendationWords words{
      .command = kCommand, .id = named.ids.front(), .run = named.run, .rules = request.rules};
  CampaignResult run = recommending_run(words);
  std::vector<std::string> rules;
  for (const std::string& id : named.ids) {
    words.id = id;
    std::string rule = named_rule(words, run);
    if (std::find(rules.begin(), rules.end(), rule) == rules.end()) {
      rules.push_back(std::move(rule));
    }
  }
  Verifier verifier(request, run.directory, rules);
  verifier.check(run);
  if (request.run.dry_run) {
    for (const std::string& rule : rules) {
      const Recommendation& recommendation = *find_recommendation(run, rule);
      std::cout << "would measure " << heading_of(recommendation) << ": "
                << joined(settings_of(kCommand, recommendation))
                << " against the baseline, in fresh pairs\n";
    }
    return ExitCode::fine;
  }
  return verifier.verify_all(std::move(run));
}

}  // namespace

void add_verify(CLI::App& app, Invocation& invocation) {
  CLI::App& command = add_command(
      app,
      {"verify",
       "Measures recommendations of a run: the run's baseline with and without each change "
       "alone, in pairs of fresh processes, even where the grid has no such cell. The verdicts "
       "(CONFIRMED 0, REFUTED 1, AMBIGUOUS 3; with several, the worst is the exit code) go into "
       "the run directory and its reports. Called again, it continues where it was cut short. "
       "With --until, pairs continue to a precision, over looks that are fixed before the first "
       "of them.",
       {"tune verify R1",
        "tune verify synchronous-loader tune-runs/latest --time 10m",
        "tune verify R1 R2 tune-runs/latest --until 1%"}});
  const auto request = std::make_shared<VerifyRequest>();
  command.add_option("ID", request->first, "R1, or the id of its rule")->required();
  command.add_option(
      "RUN", request->further, "More of them; last the run directory, default: tune-runs/latest");
  command.add_flag("-n,--dry-run", request->run.dry_run, "Say what would be measured, run nothing");
  add_wait_flag(command, request->run.waits);
  command
      .add_option(
          "--time", request->flags.values["budget"], "Wall time of all of them together, e.g. 10m")
      ->type_name("TIME");
  command.add_option("--pairs", request->pairs, "At most so many pairs of each")->type_name("N");
  command
      .add_option("--until",
                  request->until,
                  "Go on until half of the interval of the gain is at most this: 1%")
      ->type_name("RATIO");
  command
      .add_option("--seed", request->flags.values["seed"], "Seed of the random order of processes")
      ->type_name("N");
  command.add_option("--rules", request->rules, "Folder of your own rules (*.yaml)")
      ->type_name("DIR");
  command.add_flag("--json",
                   request->run.as_json,
                   "The recommendation as result.json has it; of several a list of them");
  command.callback([&invocation, request] {
    invocation.run = [&invocation, request] {
      take_global_flags(invocation, request->run);
      return verify(*request);
    };
  });
}

}  // namespace tune::cli
