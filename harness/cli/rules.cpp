#include "advice/diagnosis.h"
#include "advice/fixture.h"
#include "advice/prediction_history.h"
#include "base/fields.h"
#include "cli/ask_rules.h"
#include "cli/commands.h"
#include "cli/flags.h"
#include "cli/recorded_facts.h"
#include "cli/rule_text.h"
#include "report/prediction_text.h"
#include "report/render_blocks.h"
#include "report/result_of.h"

#include <CLI/App.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

namespace tune::cli {

namespace {

struct QualityRequest {
  std::vector<std::string> places = {"tune-runs"};
  bool as_json = false;
  bool with_each = false;
};

ExitCode show_quality(const QualityRequest& request, bool is_quiet) {
  const std::vector<std::filesystem::path> places(request.places.begin(), request.places.end());
  const advice::PredictionHistory history = advice::read_prediction_history(places);
  const result::PredictionQuality quality = report::quality_of(history);
  if (!is_quiet) {
    for (const std::string& line : report::skipped_lines(quality)) {
      std::cerr << line << '\n';
    }
  }
  if (request.as_json) {
    std::cout << to_value(quality).dump(
                     1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)
              << '\n';
  } else {
    std::cout << report::history_words(quality) << '\n';
    if (!history.predictions.empty()) {
      std::cout << '\n' << to_lines(report::quality_table(quality));
      if (request.with_each) {
        std::cout << '\n' << to_lines(report::judged_table(quality.predictions));
      }
      std::cout << '\n' << report::quality_note() << '\n';
    }
  }
  return history.runs.empty() ? ExitCode::nothing_matched : ExitCode::fine;
}

// `tune rules quality`: how well predictions came true, over run directories.
void add_quality(CLI::App& rules, Invocation& invocation) {
  CLI::App& command = add_command(
      rules,
      {"quality",
       "Says how good the predictions of the rules are: the gains that were predicted and those "
       "that fresh pairs of runs have measured, by rule and over all. Runs that are damaged or "
       "older than the rules are named and left out; exit code 5 when no run is left.",
       {"tune rules quality", "tune rules quality tune-runs ../other-runs --each"}});
  const auto request = std::make_shared<QualityRequest>();
  command.add_option(
      "RUN", request->places, "Run directories, or folders of them; default: tune-runs");
  command.add_flag("--each", request->with_each, "Each prediction too");
  command.add_flag("--json", request->as_json, "One JSON document");
  command.callback([&invocation, request] {
    invocation.run = [request, &invocation] { return show_quality(*request, invocation.quiet); };
  });
}

}  // namespace

namespace fs = std::filesystem;

namespace {

struct RulesRequest {
  RuleOptions options;
  std::string id, recording;
  std::string folder = "rules";
  bool as_json = false, as_plain = false;
};

ExitCode list(const RulesRequest& request) {
  const rule::Catalog catalog = read_rules(request.options);
  std::cout << (request.as_json    ? list_json(catalog)
                : request.as_plain ? list_rows(catalog)
                                   : list_text(catalog));
  return ExitCode::fine;
}

ExitCode explain(const RulesRequest& request) {
  const rule::Catalog catalog = read_rules(request.options);
  const rule::Rule& asked = expect_rule("tune rules explain", catalog, request.id);
  const advice::Diagnosis diagnosis = advice::diagnose(catalog, recorded_facts(request.recording));
  const auto finding = std::find_if(
      diagnosis.findings.begin(), diagnosis.findings.end(), [&](const advice::Finding& other) {
        return other.rule == &asked;
      });
  if (request.as_json) {
    std::cout << to_value(report::finding_of(*finding))
                     .dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)
              << '\n';
  } else {
    std::cout << explanation_text(*finding);
  }
  return ExitCode::fine;
}

// Own rules may name those that came with tune; of two with one id, the folder's is tried.
rule::Catalog rules_to_try(const std::vector<rule::RuleFile>& own) {
  std::vector<rule::RuleFile> files = own;
  for (rule::RuleFile& shipped : rule::shipped_rules()) {
    const fs::path name = fs::path(shipped.name).filename();
    const bool is_own = std::any_of(own.begin(), own.end(), [&](const rule::RuleFile& file) {
      return fs::path(file.name).filename() == name;
    });
    if (!is_own) {
      files.push_back(std::move(shipped));
    }
  }
  return rule::read_catalog(files);
}

// As in tune's own sources, rules/ beside tests/rules/; else <folder>/tests/.
fs::path fixtures_of(const fs::path& folder) {
  std::error_code failed;
  const fs::path beside = fs::absolute(folder).lexically_normal() / ".." / "tests" / "rules";
  const fs::path within = folder / "tests";
  return !fs::is_directory(within, failed) && fs::is_directory(beside, failed)
             ? beside.lexically_normal()
             : within;
}

ExitCode test(const RulesRequest& request) {
  const std::vector<rule::RuleFile> own = rule::rule_files_in(request.folder);
  const rule::Catalog catalog = rules_to_try(own);
  std::vector<const rule::Rule*> tried;
  tried.reserve(own.size());
  for (const rule::RuleFile& file : own) {
    tried.push_back(catalog.find(fs::path(file.name).stem().string()));
  }
  const advice::FixtureReport report = advice::try_rules(tried, fixtures_of(request.folder));
  for (const advice::FixtureProblem& problem : report.problems) {
    std::cout << problem.file << ": " << problem.problem << '\n';
  }
  std::cout << report.rules << " rules, " << report.fixtures << " fixtures, "
            << report.problems.size() << " problems\n";
  return report.problems.empty() ? ExitCode::fine : ExitCode::negative_verdict;
}

using Action = ExitCode (*)(const RulesRequest&);

void run_on_call(CLI::App& command,
                 Invocation& invocation,
                 const std::shared_ptr<RulesRequest>& request,
                 Action action) {
  command.callback([&invocation, request, action] {
    invocation.run = [request, action] { return action(*request); };
  });
}

void add_list_of_rules(CLI::App& rules, Invocation& invocation) {
  CLI::App& command = add_command(rules,
                                  {"list",
                                   "Lists the rules: what tune looks for, in which group.",
                                   {"tune rules list", "tune rules list --rules my-rules --json"}});
  const auto request = std::make_shared<RulesRequest>();
  add_rules_folder(command, request->options);
  CLI::Option* const json = command.add_flag("--json", request->as_json, "One JSON document");
  command.add_flag("--plain", request->as_plain, "Tab-separated: id, group, severity, title")
      ->excludes(json);
  run_on_call(command, invocation, request, list);
}

void add_show(CLI::App& rules, Invocation& invocation) {
  CLI::App& command =
      add_command(rules,
                  {"show",
                   "Shows one rule: its condition, its limits and their sources, what it proposes.",
                   {"tune rules show input-bound",
                    "tune rules show input-bound --yaml > my-rules/my-input-bound.yaml"}});
  const auto request = std::make_shared<RulesRequest>();
  command.add_option("ID", request->id, "Rule")->required();
  add_rules_folder(command, request->options);
  const auto as_yaml = std::make_shared<bool>(false);
  command.add_flag("--yaml", *as_yaml, "The file as it is, to begin one of your own with");
  command.callback([&invocation, request, as_yaml] {
    invocation.run = [request, as_yaml] {
      const rule::Catalog catalog = read_rules(request->options);
      const rule::Rule& rule = expect_rule("tune rules show", catalog, request->id);
      std::cout << (*as_yaml ? rule.text : rule_text(rule));
      return ExitCode::fine;
    };
  });
}

void add_explain(CLI::App& rules, Invocation& invocation) {
  CLI::App& command = add_command(
      rules,
      {"explain",
       "Says how a rule comes to its conclusion about a run, an analysis or a trace: every part of "
       "its condition with its numbers.",
       {"tune rules explain input-bound trace.json.gz",
        "tune rules explain input-bound tune-runs/analyze-trace-20260101T120000Z"}});
  const auto request = std::make_shared<RulesRequest>();
  command.add_option("ID", request->id, "Rule")->required();
  command.add_option("RUN", request->recording, "Folder with a result.json, or a trace")
      ->required();
  add_rule_options(command, request->options);
  command.add_flag("--json", request->as_json, "The finding as result.json has it");
  run_on_call(command, invocation, request, explain);
}

void add_test(CLI::App& rules, Invocation& invocation) {
  CLI::App& command = add_command(
      rules,
      {"test",
       "Tries the rules of a folder on their fixtures: DIR/tests/<id>/fires.json and quiet.json "
       "(or ../tests/rules/<id>/), which every rule must have. Exit code 1 when one says "
       "otherwise.",
       {"tune rules test my-rules", "tune rules test"}});
  const auto request = std::make_shared<RulesRequest>();
  command.add_option("DIR", request->folder, "Folder of rules, default: rules");
  run_on_call(command, invocation, request, test);
}

}  // namespace

void add_rules(CLI::App& app, Invocation& invocation) {
  CLI::App& rules = add_command(
      app,
      {"rules",
       "What tune looks for, how it comes to its advice and how good that is: list, show, explain, "
       "quality, test.",
       {"tune rules list", "tune rules explain input-bound trace.json.gz"}});
  const auto request = std::make_shared<RulesRequest>();
  rules.callback([&rules, &invocation, request] {
    if (rules.get_subcommands().empty()) {
      invocation.run = [request] { return list(*request); };
    }
  });
  add_list_of_rules(rules, invocation);
  add_show(rules, invocation);
  add_explain(rules, invocation);
  add_quality(rules, invocation);
  add_test(rules, invocation);
}

}  // namespace tune::cli
