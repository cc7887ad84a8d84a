#include "cli/analyze_run.h"

#include "base/columns.h"
#include "base/error.h"
#include "cli/answer.h"
#include "cli/ask_rules.h"
#include "cli/run_profiles.h"
#include "cli/terminal.h"
#include "measure/campaign/recorded_run.h"
#include "report/diagnosis_text.h"
#include "report/markup.h"
#include "report/render_blocks.h"
#include "report/result_of.h"
#include "report/run_sections.h"
#include "report/run_words.h"
#include "report/write_reports.h"

#include <algorithm>
#include <iostream>
#include <unistd.h>

namespace tune::cli {

namespace {

namespace fs = std::filesystem;

using campaign::CampaignResult;

constexpr std::size_t kShownRecommendations = 10;

// The trace that flags about one trace may have meant.
std::string trace_of_baseline(const CampaignResult& result) {
  for (const campaign::ProfiledCell& profile : result.profiles) {
    if (profile.cell == "baseline" && !profile.file.empty()) {
      return "tune analyze " + typed_path(profile.file);
    }
  }
  return "";
}

void refuse_flags_of_traces(const AnalyzeRequest& request, const CampaignResult& result) {
  const std::string flag = request.diff               ? "--diff"
                           : request.table.is_asked() ? "--table " + request.table.table
                           : !request.what_if.empty() ? "--what-if"
                           : !request.rank.empty()    ? "--rank " + request.rank
                           : request.with_python      ? "--python"
                           : request.with_stacks      ? "--stacks"
                           : !request.memory.empty()  ? "--memory " + request.memory
                                                      : "";
  if (!flag.empty()) {
    throw Error(Error::Parts{flag,
                             "is about traces",
                             typed_path(result.directory) + " is a run",
                             trace_of_baseline(result)});
  }
}

void check_output(const std::string& output) {
  if (!output.empty() && is_run_directory(output)) {
    throw Error(Error::Parts{"-o " + output,
                             "holds a run",
                             "its own reports are not replaced by those of other rules",
                             "name another folder"});
  }
}

std::string block(const std::string& title,
                  const std::vector<std::string>& lines,
                  const Terminal& terminal) {
  std::string text;
  for (const std::string& line : lines) {
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    text += wrapped("  " + line.substr(0, indent), one_line(line.substr(indent)), terminal.width);
  }
  return text.empty() ? "" : title + "\n" + text + "\n";
}

// Each rule that was asked for by name, whatever came of it.
std::vector<std::string> asked_lines(const AnalyzeRequest& request,
                                     const advice::Diagnosis& diagnosis) {
  std::vector<std::string> lines;
  for (const advice::Finding& finding : diagnosis.findings) {
    if (!request.rules.only.empty() && !finding.has_fired()) {
      lines.push_back(finding.rule->id + ": " + rule::to_text(finding.state) + ": " +
                      (finding.reason.empty() ? finding.text : finding.reason));
    }
  }
  return lines;
}

std::string recommendations_title(const advice::Diagnosis& diagnosis) {
  const std::size_t all = diagnosis.recommendations.size();
  std::string title = "recommendations (two gains do not add";
  if (all > kShownRecommendations) {
    title += "; the first " + std::to_string(kShownRecommendations) + " of " + std::to_string(all);
  }
  return title + ")";
}

std::string run_answer(const AnalyzeRequest& request,
                       const report::Run& run,
                       const std::string& directory) {
  const CampaignResult& result = *run.directory;
  const Terminal terminal = look_at(STDOUT_FILENO, request.color);
  const advice::Diagnosis& diagnosis = result.diagnosis->diagnosis;
  std::string text = one_line(result.scenario.name) + ", " + short_path(result.directory) +
                     ": the rules of trial " + result.diagnosis->trial + "\n\n";
  const std::string parts =
      report::to_lines(report::run_recorded_section(run).blocks, report::kInTerminal);
  text += parts.empty() ? "" : parts + "\n";
  text += block("warnings", report::doubt_lines(run.result), terminal);
  text += block(recommendations_title(diagnosis),
                report::recommendation_lines(run.result, kShownRecommendations),
                terminal);
  text += block("other findings", report::other_finding_lines(run.result), terminal);
  text += block("asked for", asked_lines(request, diagnosis), terminal);
  text += report::count_words(run.result) + "\n";
  text += report_line(directory);
  return text + bold(terminal, wrapped("", report::headline_text(run.result), terminal.width));
}

}  // namespace

std::optional<fs::path> find_run(const std::vector<std::string>& words) {
  const auto run = std::find_if(words.begin(), words.end(), is_run_directory);
  if (run == words.end()) {
    return std::nullopt;
  }
  if (words.size() > 1) {
    throw Error(Error::Parts{*run,
                             "is a run directory",
                             "a run is analysed by itself; two of them are compared by "
                             "tune compare",
                             "tune analyze " + typed_path(fs::path(*run))});
  }
  return *run;
}

ExitCode analyze_run(const AnalyzeRequest& request, const fs::path& run) {
  check_output(request.output);
  CampaignResult result = campaign::load_campaign(run);
  refuse_flags_of_traces(request, result);
  read_profiles(result);
  ask_rules(result, request.rules);
  if (!result.diagnosis) {
    throw Error(Error::Parts{typed_path(run),
                             "has nothing that rules could look at",
                             "no trial of its baseline completed",
                             "tune report " + typed_path(run)});
  }
  std::string directory;
  const result::Result record = report::result_of(result);
  const report::Run shown{record, &result};
  const std::string json = report::render(shown, report::Format::json);
  if (!request.output.empty() && !request.dry_run) {
    directory = begin_record(request, "run").directory;
    write_analysis(directory,
                   {.json = json,
                    .markdown = report::render(shown, report::Format::markdown),
                    .html = report::render(shown, report::Format::html)});
  }
  std::cout << (request.as_json ? json : run_answer(request, shown, directory));
  print_warnings(request, result.warnings);
  return ExitCode::fine;
}

}  // namespace tune::cli
