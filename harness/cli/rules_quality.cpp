#include "cli/rules_quality.h"

#include "advice/prediction_history.h"
#include "base/fields.h"
#include "cli/add_command.h"
#include "report/prediction_text.h"
#include "report/result_of.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

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
  if (!is_quiet) {
    for (const std::string& line : report::skipped_lines(history)) {
      std::cerr << line << '\n';
    }
  }
  if (request.as_json) {
    std::cout << to_value(report::quality_of(history))
                     .dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)
              << '\n';
  } else {
    std::cout << report::history_words(history) << '\n';
    if (!history.predictions.empty()) {
      std::cout << '\n' << to_lines(report::quality_table(history.predictions));
      if (request.with_each) {
        std::cout << '\n' << to_lines(report::judged_table(history.predictions));
      }
      std::cout << '\n' << report::quality_note() << '\n';
    }
  }
  return history.runs.empty() ? ExitCode::nothing_matched : ExitCode::fine;
}

}  // namespace

void add_quality(CLI::App& rules, Invocation& invocation) {
  CLI::App& command = add_command(
      rules,
      {"quality",
       "Says how good the predictions of the rules are: gains that were predicted, beside what "
       "fresh pairs of runs have measured, by rule and over all. Runs that are damaged or older "
       "than the rules are named and left out; exit code 5 when no run is left.",
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

}  // namespace tune::cli
