#include "base/error.h"
#include "base/file.h"
#include "base/units.h"
#include "campaign/ledger.h"
#include "campaign/load_campaign.h"
#include "cli/add_command.h"
#include "cli/answer.h"
#include "cli/commands.h"
#include "cli/expect_word.h"
#include "cli/run_profiles.h"
#include "cli/run_rules.h"
#include "cli/show_report.h"
#include "report/format/all_formats.h"
#include "report/gate_record.h"
#include "report/html_gate.h"
#include "report/markdown.h"
#include "report/result_json.h"
#include "report/write_reports.h"

#include <CLI/CLI.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace tune::cli {

namespace {

namespace fs = std::filesystem;

struct ReportRequest {
  std::string run, format, output, rules, max_size;
  ShowWish show;
};

constexpr std::size_t kLeastBytes = 2'000;

std::vector<std::string> format_names() {
  std::vector<std::string> names = {"html", "md", "json", "text"};
  for (const report::OutsideFormat& format : report::all_formats()) {
    names.emplace_back(format.name);
  }
  return names;
}

campaign::CampaignResult load(const ReportRequest& request) {
  campaign::CampaignResult result = campaign::load_campaign(request.run);
  read_profiles(result);
  ask_rules(result, request.rules);
  return result;
}

bool is_file(const fs::path& path) {
  std::error_code failed;
  return fs::is_regular_file(path, failed);
}

fs::path result_file(const fs::path& run) {
  return is_file(run) ? run : run / "result.json";
}

// What a gate or an analysis found stands in its result.json alone; nothing for a run, whose
// ledger is the truth, and where there is no such file.
std::optional<report::StoredResult> kept_result(const fs::path& run) {
  const fs::path file = result_file(run);
  if (!is_file(file)) {
    return std::nullopt;
  }
  try {
    report::StoredResult kept = report::read_stored_result(read_file(file), file.string());
    return kept.kind == "run" ? std::nullopt : std::optional(std::move(kept));
  } catch (const Error&) {
    return std::nullopt;  // a damaged one of a run is made anew; of anything else the ledger tells
  }
}

bool is_gate(const fs::path& run) {
  const auto kept = kept_result(run);
  return kept && kept->kind == "gate";
}

std::string gate_page(const ReportRequest& request) {
  const fs::path file = result_file(request.run);
  return report::to_gate_html(report::read_gate_record(read_file(file), file.string()));
}

fs::path write_gate_page(const ReportRequest& request) {
  fs::path page = fs::path(request.run) / "report.html";
  write_file_synced(page, gate_page(request));
  return page;
}

report::StoredResult stored_result(const ReportRequest& request) {
  if (is_file(request.run)) {
    return report::read_stored_result(read_file(request.run), request.run);
  }
  if (auto kept = kept_result(request.run)) {
    return std::move(*kept);
  }
  return report::read_stored_result(report::to_result_json(load(request)), request.run);
}

std::size_t size_limit(const ReportRequest& request) {
  if (request.max_size.empty()) {
    return report::kMarkdownLimitBytes;
  }
  const auto bytes = parse_bytes(request.max_size);
  if (!bytes || *bytes < static_cast<std::int64_t>(kLeastBytes)) {
    throw Error(Error::Parts{"--max-size " + request.max_size,
                             "is no size of a page",
                             "at least 2KB, with a unit",
                             "60KB, 900KB"});
  }
  return static_cast<std::size_t>(*bytes);
}

std::string render(const ReportRequest& request) {
  const std::string& name = request.format;
  if (const report::OutsideFormat* const format = report::find_format(name)) {
    std::error_code failed;
    const fs::path here = fs::current_path(failed);
    return format->render(stored_result(request), {.root = here.string()});
  }
  if (name == "html" && is_gate(request.run)) {
    return gate_page(request);
  }
  if (name == "md") {
    return report::to_markdown(load(request), size_limit(request));
  }
  if (name == "text") {
    constexpr std::size_t kWidth = 100;  // not the terminal's: a file's text depends on no terminal
    return answer(load(request),
                  Terminal{.is_terminal = false, .has_color = false, .width = kWidth});
  }
  return report::render(load(request),
                        name == "html" ? report::Format::html : report::Format::json);
}

void check(const ReportRequest& request) {
  if (!request.output.empty() && request.format.empty()) {
    throw Error(Error::Parts{"tune report",
                             "-o needs a format",
                             "without one, all three are written into the run directory",
                             "--format html"});
  }
  if (!request.format.empty()) {
    expect_word("tune report --format", request.format, format_names());
  }
  if (!request.max_size.empty() && request.format != "md") {
    throw Error(Error::Parts{
        "--max-size", "does not fit", "it is the size of a Markdown page", "--format md"});
  }
  size_limit(request);
  check_show_wish(request.show, request.format);
  const bool is_page_of_gate = request.format == "html" && is_gate(request.run);
  if (is_file(request.run) && report::find_format(request.format) == nullptr && !is_page_of_gate) {
    throw Error(Error::Parts{request.run,
                             "is no run directory",
                             "html, md, json and text are made of the ledger and the trials of one",
                             "--format csv"});
  }
}

// Of an analysis, or of a gate whose build failed: its files are what there is.
ExitCode show_kept(const ReportRequest& request) {
  const fs::path page = fs::path(request.run) / "report.html";
  if (!is_file(page)) {
    throw Error(Error::Parts{request.run,
                             "has no report.html to show",
                             "those of runs and gates are made again, not that of an analysis",
                             ""});
  }
  if (request.show.serve) {
    return serve_report(request.run, {}, request.show);
  }
  std::cout << page.string() << '\n' << std::flush;
  open_report(page, request.show);
  return ExitCode::fine;
}

ExitCode show_gate(const ReportRequest& request) {
  if (request.show.serve) {
    return serve_report(request.run, {{"report.html", gate_page(request)}}, request.show);
  }
  const fs::path page = write_gate_page(request);
  std::cout << page.string() << '\n' << std::flush;
  open_report(page, request.show);
  return ExitCode::fine;
}

bool has_page_alone(const fs::path& directory) {
  return is_file(directory / "report.html") && !is_file(campaign::ledger_file(directory));
}

ExitCode show(const ReportRequest& request) {
  if (const auto kept = kept_result(request.run)) {
    return kept->kind == "gate" ? show_gate(request) : show_kept(request);
  }
  if (has_page_alone(request.run)) {
    return show_kept(request);
  }
  const campaign::CampaignResult result = load(request);
  if (request.show.serve) {
    return serve_report(request.run,
                        {{"report.html", report::render(result, report::Format::html)},
                         {"report.md", report::render(result, report::Format::markdown)},
                         {"result.json", report::render(result, report::Format::json)}},
                        request.show);
  }
  for (const auto& path : report::write_reports(result)) {
    std::cout << path.string() << '\n' << std::flush;
  }
  open_report(result.directory / "report.html", request.show);
  return ExitCode::fine;
}

ExitCode write_report(const ReportRequest& request) {
  check(request);
  if (request.show.wanted()) {
    return show(request);
  }
  if (request.format.empty() && is_gate(request.run)) {
    std::cout << write_gate_page(request).string() << '\n';
    return ExitCode::fine;
  }
  if (request.format.empty()) {
    for (const auto& path : report::write_reports(load(request))) {
      std::cout << path.string() << '\n';
    }
    return ExitCode::fine;
  }
  const std::string text = render(request);
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
       "at its end. Of a gate report.html alone is made again, from its result.json. The formats "
       "of "
       "other programs (tune help formats) can also be made of a result.json alone, whichever "
       "version of tune wrote it, and of the directory of a gate or an analysis.",
       {"tune report tune-runs/latest",
        "tune report tune-runs/latest --format text",
        "tune report tune-runs/latest --serve --open",
        "tune report gate/result.json --format sarif -o gate.sarif"}});
  const auto request = std::make_shared<ReportRequest>();
  command.add_option("RUN", request->run, "Run directory, or a result.json")->required();
  command.add_option(
      "--format",
      request->format,
      "html, md, json, text, csv, sarif, ... (tune help formats); to standard output");
  command.add_option("--max-size", request->max_size, "Of the format md: 60KB fits into a comment")
      ->type_name("SIZE");
  command.add_option("--rules", request->rules, "Folder of your own rules (*.yaml)")
      ->type_name("DIR");
  command.add_option("-o,--output", request->output, "File to write; - is standard output");
  add_show_flags(command, request->show);
  command.callback([&invocation, request] {
    request->show.quiet = invocation.quiet;
    invocation.run = [request] { return write_report(*request); };
  });
}

}  // namespace tune::cli
