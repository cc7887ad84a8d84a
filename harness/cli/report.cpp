#include "base/error.h"
#include "base/file.h"
#include "campaign/load_campaign.h"
#include "cli/add_command.h"
#include "cli/commands.h"
#include "report/write_reports.h"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <iostream>
#include <map>
#include <memory>

namespace tune::cli {

namespace {

struct ReportRequest {
  std::string run, format, output;
};

const std::map<std::string, report::Format>& formats() {
  static const std::map<std::string, report::Format> all = {{"html", report::Format::html},
                                                            {"md", report::Format::markdown},
                                                            {"json", report::Format::json}};
  return all;
}

ExitCode write_report(const ReportRequest& request) {
  if (!request.output.empty() && request.format.empty()) {
    throw Error(Error::Parts{"tune report",
                             "-o needs a format",
                             "without one, all three are written into the run directory",
                             "add --format html"});
  }
  const auto result = campaign::load_campaign(request.run);
  if (request.format.empty()) {
    for (const auto& path : report::write_reports(result)) {
      std::cout << path.string() << '\n';
    }
    return ExitCode::fine;
  }
  const std::string text = report::render(result, formats().at(request.format));
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
       "result.json, report.html and report.md into it.",
       {"tune report tune-runs/resnet18-20260302T101500Z", "tune report RUN --format md -o -"}});
  const auto request = std::make_shared<ReportRequest>();
  command.add_option("RUN", request->run, "Run directory")->required();
  command.add_option("--format", request->format, "html, md or json; to standard output")
      ->check(CLI::IsMember(formats()));
  command.add_option("-o,--output", request->output, "File to write; - is standard output");
  command.callback(
      [&invocation, request] { invocation.run = [request] { return write_report(*request); }; });
}

}  // namespace tune::cli
