#include "cli/show_comparison.h"

#include "cli/terminal.h"
#include "report/comparison_html.h"
#include "report/markup.h"
#include "report/table_text.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <iostream>
#include <unistd.h>
#include <utility>

namespace tune::cli {

ExitCode show_comparison(const AnalyzeRequest& request,
                         const report::TraceComparison& comparison,
                         report::AnalysisRecord record,
                         nlohmann::ordered_json trace) {
  record.headline = comparison.headline;
  record.metrics = comparison.metrics;
  const std::string json = report::to_analysis_json(record, std::move(trace));
  const std::filesystem::path directory = record.directory;
  write_analysis(directory,
                 {.json = json,
                  .markdown = report::to_markdown(comparison),
                  .html = report::to_comparison_html(comparison, record)});
  if (request.as_json) {
    std::cout << json;
  } else {
    constexpr std::size_t kMostRows = 15;
    const Terminal terminal = look_at(STDOUT_FILENO, request.color);
    const std::size_t width = terminal.is_terminal ? terminal.width : report::kAnyWidth;
    std::cout << report::to_lines(comparison, width, kMostRows)
              << "report:  " << (directory / "report.html").string() << '\n'
              << bold(terminal, one_line(comparison.headline)) << '\n';
  }
  print_warnings(request, record.warnings);
  return ExitCode::fine;
}

}  // namespace tune::cli
