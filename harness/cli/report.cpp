#include "base/error.h"
#include "base/file.h"
#include "base/units.h"
#include "cli/answer.h"
#include "cli/ask_rules.h"
#include "cli/commands.h"
#include "cli/flags.h"
#include "cli/kept_report.h"
#include "cli/machine_lock.h"
#include "cli/page_of_gate.h"
#include "cli/run_profiles.h"
#include "cli/show_report.h"
#include "cli/terminal.h"
#include "measure/campaign/ledger.h"
#include "measure/campaign/recorded_run.h"
#include "report/format/all_formats.h"
#include "report/markup.h"
#include "report/result_json.h"
#include "report/result_of.h"
#include "report/run_pages.h"
#include "report/write_reports.h"

#include <CLI/App.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <map>
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
  bool is_verbose = false, dry_run = false;
};

constexpr std::size_t kLeastMarkdownBytes = 2'000;

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

/// What kept_result() found.
using Kept = std::optional<result::Result>;

bool is_kept_gate(const Kept& kept) {
  return kept && kept->kind == "gate";
}

// Reports are not written into the directory of a run or gate while another tune works on it.
std::optional<campaign::DirectoryLock> lock_of(const ReportRequest& request) {
  const bool has_ledger = is_file(campaign::ledger_file(request.run));
  return has_ledger ? std::optional(lock_directory(request.run)) : std::nullopt;
}

fs::path write_gate_page(const ReportRequest& request) {
  fs::path page = fs::path(request.run) / "report.html";
  write_file_synced(page, page_of_gate(stored_result_file(request.run)));
  return page;
}

// What --max-size says, or what is usual.
std::size_t size_limit(const ReportRequest& request, bool is_page) {
  if (request.max_size.empty()) {
    return is_page ? report::kPageLimitBytes : report::kMarkdownLimitBytes;
  }
  const auto bytes = parse_bytes(request.max_size);
  const std::size_t least = is_page ? report::kLeastPageLimitBytes : kLeastMarkdownBytes;
  if (!bytes || *bytes < static_cast<std::int64_t>(least)) {
    throw Error(Error::Parts{"--max-size " + request.max_size,
                             "is not the size of a page",
                             is_page ? "at least 100KB, with a unit" : "at least 2KB, with a unit",
                             is_page ? "1MB, 5MB" : "60KB, 900KB"});
  }
  return static_cast<std::size_t>(*bytes);
}

// A file's text depends on no terminal.
Terminal plain_terminal() {
  return {.is_terminal = false, .has_color = false, .width = 100};
}

// From a result.json alone.
std::string render_kept(const ReportRequest& request, const std::string& format) {
  const fs::path file = stored_result_file(request.run);
  std::string json = read_file(file);
  if (format == "json") {
    return json;
  }
  const result::Result record = result::read_result(json, file.string());
  const report::Run run{.result = record, .json = json};
  return format == "html" ? report::to_html(run, size_limit(request, true))
         : format == "md" ? report::to_markdown(run, size_limit(request, false))
                          : answer(run, plain_terminal(), request.is_verbose);
}

std::string render_outside(const report::OutsideFormat& format,
                           const ReportRequest& request,
                           const Kept& kept) {
  std::error_code failed;
  const fs::path here = fs::current_path(failed);
  return format.render(
      kept ? *kept : result::read_result(report::to_result_json(load(request)), request.run),
      {.root = here.string()});
}

std::string render(const ReportRequest& request, const Kept& kept) {
  const std::string& name = request.format;
  if (const report::OutsideFormat* const format = report::find_format(name)) {
    return render_outside(*format, request, kept);
  }
  if (kept ? kept->kind != "run" : has_reports_alone(request.run)) {
    const bool is_page = name == "html";
    const std::size_t limit = size_limit(request, is_page);
    std::string text = kept_report(request.run, kept, name, limit);
    if (is_page && !request.max_size.empty() && text.size() > limit) {
      throw Error(Error::Parts{
          "--max-size " + request.max_size,
          "is less than this page has",
          std::to_string(text.size()) + " bytes; only the page of a run leaves parts out",
          "--format md"});
    }
    return text;
  }
  if (kept) {
    return render_kept(request, name);
  }
  if (name == "md") {
    return report::to_markdown(load(request), size_limit(request, false));
  }
  if (name == "html") {
    return report::to_html(load(request), size_limit(request, true));
  }
  if (name == "text") {
    const campaign::CampaignResult run = load(request);
    const result::Result record = report::result_of(run);
    return answer({record, &run}, plain_terminal(), request.is_verbose);
  }
  return report::to_result_json(load(request));
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
  if (!request.max_size.empty() && request.format != "md" && request.format != "html") {
    throw Error(Error::Parts{
        "--max-size", "does not fit", "it is the size of a page", "--format html, --format md"});
  }
  size_limit(request, request.format == "html");
  check_show_wish(request.show, request.format);
  const std::string extension = std::filesystem::path(request.run).extension().string();
  if (is_file(request.run) && extension != ".json") {
    throw Error(Error::Parts{request.run,
                             "is not a run",
                             "a run is a directory, or its result.json",
                             extension == ".gz" ? "tune analyze " + request.run : ""});
  }
  if (is_file(request.run) && request.format.empty()) {
    throw Error(Error::Parts{request.run,
                             "is not a run directory",
                             "of a file alone one report at a time is made",
                             "--format html"});
  }
}

// For an analysis, or a gate whose build failed: it has only its files.
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
    return serve_report(request.run,
                        {{"report.html", page_of_gate(stored_result_file(request.run))}},
                        request.show);
  }
  const auto lock = lock_of(request);
  const fs::path page = write_gate_page(request);
  std::cout << page.string() << '\n' << std::flush;
  open_report(page, request.show);
  return ExitCode::fine;
}

/// Name of a file of the run directory and its text.
using Pages = std::map<std::string, std::string>;

// For a run of which result.json is all that is left.
Pages pages_of_kept(const ReportRequest& request) {
  return {{"report.html", render_kept(request, "html")}, {"report.md", render_kept(request, "md")}};
}

void write_pages(const ReportRequest& request, const Pages& pages) {
  for (const auto& [name, text] : pages) {
    const fs::path path = fs::path(request.run) / name;
    write_file_synced(path, text);
    std::cout << path.string() << '\n' << std::flush;
  }
}

ExitCode show_kept_run(const ReportRequest& request) {
  const Pages pages = pages_of_kept(request);
  if (request.show.serve) {
    return serve_report(request.run, pages, request.show);
  }
  write_pages(request, pages);
  open_report(fs::path(request.run) / "report.html", request.show);
  return ExitCode::fine;
}

ExitCode show(const ReportRequest& request, const Kept& kept) {
  if (kept) {
    return is_kept_gate(kept)    ? show_gate(request)
           : kept->kind == "run" ? show_kept_run(request)
                                 : show_kept(request);
  }
  if (has_reports_alone(request.run)) {
    return show_kept(request);
  }
  const campaign::CampaignResult result = load(request);
  if (request.show.serve) {
    const result::Result record = report::result_of(result);
    const std::string json = to_json(record);
    const report::Run run{record, &result, json};
    return serve_report(request.run,
                        {{"report.html", report::render(run, report::Format::html)},
                         {"report.md", report::render(run, report::Format::markdown)},
                         {"result.json", report::render(run, report::Format::json)}},
                        request.show);
  }
  const auto lock = lock_of(request);
  for (const auto& path : report::write_reports(result)) {
    std::cout << path.string() << '\n' << std::flush;
  }
  open_report(result.directory / "report.html", request.show);
  return ExitCode::fine;
}

// Into the run directory.
void write_all(const ReportRequest& request, const Kept& kept) {
  const auto lock = lock_of(request);
  if (is_kept_gate(kept)) {
    std::cout << write_gate_page(request).string() << '\n';
  } else if (kept && kept->kind == "run") {
    write_pages(request, pages_of_kept(request));
  } else if (kept) {
    throw Error(Error::Parts{request.run,
                             "is not a run directory",
                             "its result.json is of kind '" + shortened(kept->kind, 40) + "'",
                             "--format html"});
  } else {
    for (const auto& path : report::write_reports(load(request))) {
      std::cout << path.string() << '\n';
    }
  }
}

// Where write_all() or -o would write.
ExitCode say_files(const ReportRequest& request, const Kept& kept) {
  std::vector<fs::path> files;
  if (!request.format.empty()) {
    files.emplace_back(request.output.empty() || request.output == "-" ? "standard output"
                                                                       : request.output);
  } else {
    files.push_back(fs::path(request.run) / "report.html");
    if (!is_kept_gate(kept)) {
      files.push_back(fs::path(request.run) / "report.md");
    }
    if (!kept) {
      files.push_back(fs::path(request.run) / "result.json");
    }
  }
  for (const fs::path& file : files) {
    std::cout << "would write " << file.string() << '\n';
  }
  return ExitCode::fine;
}

// Commands to a CI runner are meant to be obeyed.
void print_format(const std::string& format, const std::string& text) {
  if (format == "github-annotations") {
    write_unchanged(std::cout, text);
  } else {
    std::cout << text;
  }
}

ExitCode write_report(const ReportRequest& request) {
  check(request);
  const Kept kept = kept_result(request.run);
  if (request.dry_run) {
    return say_files(request, kept);
  }
  if (request.show.wanted()) {
    return show(request, kept);
  }
  if (request.format.empty()) {
    write_all(request, kept);
    return ExitCode::fine;
  }
  const std::string text = render(request, kept);
  if (request.output.empty() || request.output == "-") {
    print_format(request.format, text);
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
       "result.json, report.html and report.md into it; the format text is what `tune run` "
       "printed at its end. For a gate, html, md and text are made again from its result.json; "
       "json is what it stored, and so is every format of an analysis. The formats of other "
       "programs (tune help formats) can also be made from a result.json alone, whichever "
       "version of tune wrote it, and from the directory of a gate or an analysis.",
       {"tune report tune-runs/latest",
        "tune report tune-runs/latest --format text",
        "tune report tune-runs/latest --serve --open",
        "tune report gate --format text",
        "tune report measure/gate/result.json --format sarif -o gate.sarif"}});
  const auto request = std::make_shared<ReportRequest>();
  command.add_option("RUN", request->run, "Run directory, or a result.json")->required();
  command.add_option(
      "--format",
      request->format,
      "html, md, json, text, csv, sarif, ... (tune help formats); to standard output");
  command
      .add_option("--max-size",
                  request->max_size,
                  "Of the formats html (5MB) and md: 60KB fits into a comment")
      ->type_name("SIZE");
  command.add_option("--rules", request->rules, "Folder of your own rules (*.yaml)")
      ->type_name("DIR");
  command.add_option("-o,--output", request->output, "File to write; - is standard output");
  command.add_flag("-n,--dry-run", request->dry_run, "Say what would be written, write nothing");
  add_show_flags(command, request->show);
  command.callback([&invocation, request] {
    request->show.quiet = invocation.quiet;
    request->is_verbose = invocation.verbose;
    invocation.run = [request] { return write_report(*request); };
  });
}

}  // namespace tune::cli
