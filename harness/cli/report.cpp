#include "base/error.h"
#include "base/file.h"
#include "campaign/load_campaign.h"
#include "cli/add_command.h"
#include "cli/answer.h"
#include "cli/commands.h"
#include "cli/run_profiles.h"
#include "cli/run_rules.h"
#include "cli/expect_word.h"
#include "report/write_reports.h"

#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>
#include <string>
#include <vector>

namespace tune::cli {

namespace {

struct ReportRequest {
  std::string run, format, output, rules;
};

const std::vector<std::string> kFormats = {"html", "md", "json", "text"};

std::string render(const campaign::CampaignResult& result, const std::string& format) {
  if (format == "text") {
    constexpr std::size_t kWidth = 100;  // not the terminal's: a file's text depends on no terminal
    return answer(result, Terminal{.is_terminal = false, .has_color = false, .width = kWidth});
  }
  return report::render(result,
                        format == "html" ? report::Format::html
                        : format == "md" ? report::Format::markdown
                                         : report::Format::json);
}

ExitCode write_report(const ReportRequest& request) {
  if (!request.output.empty() && request.format.empty()) {
    throw Error(Error::Parts{"tune report",
                             "-o needs a format",
                             "without one, all three are written into the run directory",
                             "--format html"});
  }
  if (!request.format.empty()) {
    expect_word("tune report --format", request.format, kFormats);
  }
  campaign::CampaignResult result = campaign::load_campaign(request.run);
  read_profiles(result);
  ask_rules(result, request.rules);
  if (request.format.empty()) {
    for (const auto& path : report::write_reports(result)) {
      std::cout << path.string() << '\n';
    }
    return ExitCode::fine;
  }
  const std::string text = render(result, request.format);
  if (request.output.empty() || request.output == "-") {
    std::cout << text;
  } else {
    write_file_synced(request.output, text);
    std::cout << request.output << '\n';
  }
  return ExitCode::fine;
}

}  // namespace

void add_report(CLI::App& app, Invocation& invocation) {
  CLI::App& command = add_command(
      app,
      {"report",
       "Renders a run directory again, from its files alone. Without --format it writes "
       "result.json, report.html and report.md into it; the format text is what `tune run` printed "
       "at its end.",
       {"tune report tune-runs/latest", "tune report tune-runs/latest --format text"}});
  const auto request = std::make_shared<ReportRequest>();
  command.add_option("RUN", request->run, "Run directory")->required();
  command.add_option("--format", request->format, "html, md, json or text; to standard output");
  command.add_option("--rules", request->rules, "Folder of your own rules (*.yaml)")
      ->type_name("DIR");
  command.add_option("-o,--output", request->output, "File to write; - is standard output");
  command.callback(
      [&invocation, request] { invocation.run = [request] { return write_report(*request); }; });
}

}  // namespace tune::cli
