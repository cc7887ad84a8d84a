#include "base/error.h"
#include "base/fields.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/answer.h"
#include "cli/commands.h"
#include "cli/compare_view.h"
#include "cli/flags.h"
#include "measure/campaign/ledger.h"
#include "measure/gate/fingerprint.h"

#include <CLI/App.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace tune::cli {

namespace {

namespace fs = std::filesystem;

using report::CellPair;
using report::ComparedCells;
using report::ComparedRun;
using report::RunComparison;

// ---------------------------------------------------------------------------------- the two runs

constexpr std::int64_t kLargestResult = std::int64_t{1} << 28;
constexpr std::int64_t kLargestLedger = std::int64_t{1} << 30;

fs::file_type type_of(const fs::path& path) {
  std::error_code failed;
  const fs::file_type type = fs::status(path, failed).type();
  if (type == fs::file_type::none) {  // no right to look, a name that is too long, ...
    throw_failed_call(path, "cannot be read", failed.value());
  }
  return type;
}

[[noreturn]] void complain_of_no_result(const fs::path& directory) {
  if (type_of(campaign::ledger_file(directory)) == fs::file_type::regular) {
    throw Error(Error::Parts{directory.string(),
                             "has no result.json",
                             "the run has not ended, or it was killed",
                             "tune report " + typed_path(directory)});
  }
  throw Error(Error::Parts{directory.string(),
                           "is not a run directory",
                           "it has no result.json",
                           "name a folder under tune-runs/"});
}

fs::path result_file(const fs::path& path) {
  fs::path file = path;
  fs::file_type type = type_of(path);
  if (type == fs::file_type::directory) {
    file = path / "result.json";
    type = type_of(file);
    if (type == fs::file_type::not_found) {
      complain_of_no_result(path);
    }
  }
  if (type == fs::file_type::not_found) {
    throw Error(Error::Parts{path.string(),
                             "does not exist",
                             "a run directory, or its result.json",
                             "tune history list"});
  }
  if (type != fs::file_type::regular) {  // a pipe would block us
    throw Error(Error::Parts{file.string(), "is not a file", "", ""});
  }
  return file;
}

// As the ledger next to the result has them; nothing where there is none, or where it is damaged.
std::optional<std::vector<std::string>> variables_beside(const fs::path& result) {
  const fs::path ledger = campaign::ledger_file(result.parent_path());
  std::error_code failed;
  if (!fs::is_regular_file(ledger, failed)) {
    return std::nullopt;
  }
  try {
    const std::string text = read_file(ledger, kLargestLedger);
    machine::MachineFacts machine;
    read_fields(text.substr(0, text.find('\n')), ledger.string(), [&](Fields& header) {
      header.record("machine", machine);
    });
    return machine.variables;
  } catch (const Error&) {
    return std::nullopt;
  }
}

ComparedRun read_one(const std::string& name, const fs::path& file, const std::string& text) {
  ComparedRun run{.name = name, .result = result::read_result(text, file.string())};
  if (run.result.kind != "run" && run.result.kind != "gate") {
    throw Error(Error::Parts{name,
                             "is neither a run nor a gate",
                             run.result.kind.empty() ? "it does not say what it is of"
                                                     : "it is of tune " + run.result.kind,
                             run.result.kind == "analyze" ? "tune analyze --diff" : ""});
  }
  run.variables = variables_beside(file);
  return run;
}

// Reads two run directories, or result.json files, of `tune run` or `tune gate`. Throws tune::Error
// for what is missing, damaged, of another schema or of another command, for a run that has no
// result yet, and when both are the same one.
std::pair<ComparedRun, ComparedRun> read_compared_runs(const std::string& a, const std::string& b) {
  const fs::path file_a = result_file(a), file_b = result_file(b);
  const std::string text_a = read_file(file_a, kLargestResult);
  const std::string text_b = read_file(file_b, kLargestResult);
  auto runs = std::pair(read_one(a, file_a, text_a), read_one(b, file_b, text_b));
  std::error_code failed;
  if (fs::equivalent(file_a, file_b, failed) || text_a == text_b) {
    throw Error(Error::Parts{"tune compare",
                             a == b ? a + " is named twice" : a + " and " + b + " are the same",
                             "the cells of one run stand beside each other in its report",
                             "tune report " + typed_path(fs::path(a))});
  }
  return runs;
}

// ---------------------------------------------------------------------------------- the command

struct CompareRequest {
  std::string a, b, cell, metrics;
  bool has_all_metrics = false, anyway = false, explain = false;
  bool as_json = false, as_plain = false, quiet = false;
  ColorWish color = ColorWish::automatic;
};

Codes codes_of(const CompareRequest& request) {
  return request.explain ? Codes::shown : Codes::hidden;
}

// Throws where the numbers answer different questions.
void check_comparable(const CompareRequest& request,
                      const std::vector<report::RunDifference>& differences) {
  std::vector<std::string> obstacles;
  for (const report::RunDifference& each : differences) {
    if (each.is_obstacle) {
      obstacles.push_back(difference_words(each, codes_of(request)));
    }
  }
  if (!obstacles.empty() && !request.anyway) {
    throw gate::Incomparable(
        Error::Parts{request.a + " and " + request.b,
                     "cannot be compared",
                     "what differs is not the setting alone: " + joined(obstacles),
                     "the numbers anyway: --force"});
  }
}

std::vector<CellPair> chosen_cells(const CompareRequest& request,
                                   const ComparedRun& a,
                                   const ComparedRun& b) {
  if (request.cell.empty()) {
    return report::usual_cells(a, b);
  }
  const std::string where = "--cell " + request.cell;
  const std::size_t colon = request.cell.find(':');
  const std::string of_a = request.cell.substr(0, colon);
  const std::string of_b = colon == std::string::npos ? of_a : request.cell.substr(colon + 1);
  return {{report::find_cell(a, of_a, where), report::find_cell(b, of_b, where)}};
}

std::vector<std::string> metrics_in_common(const std::vector<ComparedCells>& cells) {
  std::vector<std::string> ids;
  for (const ComparedCells& each : cells) {
    for (const report::ComparedMetric& metric : each.metrics) {
      if (std::find(ids.begin(), ids.end(), metric.id) == ids.end()) {
        ids.push_back(metric.id);
      }
    }
  }
  return ids;
}

std::vector<std::string> asked_metrics(const std::string& list,
                                       const std::vector<std::string>& known) {
  std::vector<std::string> asked;
  std::istringstream words(list);
  for (std::string word; std::getline(words, word, ',');) {
    if (std::find(known.begin(), known.end(), word) == known.end()) {
      throw Error(Error::Parts{"--metric " + list,
                               "A and B do not both have '" + word + "'",
                               "--all shows what both have",
                               did_you_mean(word, known)});
    }
    asked.push_back(word);
  }
  return asked;
}

void keep(const std::vector<std::string>& ids, std::vector<ComparedCells>& cells) {
  for (ComparedCells& each : cells) {
    const auto place = [&](const report::ComparedMetric& metric) {
      return std::find(ids.begin(), ids.end(), metric.id);
    };
    std::erase_if(each.metrics, [&](const auto& metric) { return place(metric) == ids.end(); });
    std::stable_sort(each.metrics.begin(), each.metrics.end(), [&](const auto& x, const auto& y) {
      return place(x) < place(y);
    });
  }
}

std::vector<ComparedCells> compared_cells(const CompareRequest& request,
                                          const ComparedRun& a,
                                          const ComparedRun& b) {
  std::vector<ComparedCells> cells;
  for (const CellPair& pair : chosen_cells(request, a, b)) {
    cells.push_back(report::compare_cells(a, b, pair));
  }
  if (!request.metrics.empty()) {
    keep(asked_metrics(request.metrics, metrics_in_common(cells)), cells);
  } else if (!request.has_all_metrics) {
    keep(report::usual_metrics(), cells);
  }
  return cells;
}

ExitCode compare(const CompareRequest& request) {
  auto [a, b] = read_compared_runs(request.a, request.b);
  RunComparison comparison{.differences = report::run_differences(a, b)};
  check_comparable(request, comparison.differences);
  comparison.cells = compared_cells(request, a, b);
  comparison.a = std::move(a);
  comparison.b = std::move(b);
  comparison.has_usual_cells = request.cell.empty();
  const Codes codes = codes_of(request);
  if (request.as_json) {
    std::cout << comparison_json(comparison, codes);
  } else if (request.as_plain) {
    std::cout << comparison_rows(comparison, codes);
    std::cerr << (request.quiet ? "" : comparison_remarks(comparison, codes));
  } else {
    std::cout << comparison_text(comparison, codes, look_at(STDOUT_FILENO, request.color));
  }
  if (metrics_in_common(comparison.cells).empty()) {
    std::cerr << "nothing was measured in both: no cell of A and B has a number in common\n";
    return ExitCode::nothing_matched;
  }
  return ExitCode::fine;
}

// What must not stand beside each other has an exit code of its own.
ExitCode compare_command(const CompareRequest& request) {
  try {
    return compare(request);
  } catch (const gate::Incomparable& error) {
    std::cerr << error.what() << '\n';
    return ExitCode::incomparable;
  }
}

}  // namespace

void add_compare(CLI::App& app, Invocation& invocation) {
  CLI::App& command = add_command(
      app,
      {"compare",
       "Puts the numbers of two runs, or of two gates, side by side: what differs in machine, "
       "scenario, data and programs, then the baselines and the best cells, metric by metric. Runs "
       "of different times are not pairs, so this is not a verdict: tune gate gives one. Runs of "
       "another "
       "machine, scenario or data are not compared (exit code 4).",
       {"tune compare tune-runs/mlp-20261120T101500Z tune-runs/latest",
        "tune compare before/result.json after/result.json --cell baseline:best",
        "tune compare a b --metric cpu_busy_ratio,steal_ratio",
        "tune compare a b --explain --plain"}});
  const auto request = std::make_shared<CompareRequest>();
  command.add_option("A", request->a, "Run directory, or a result.json")
      ->required()
      ->type_name("RUN");
  command.add_option("B", request->b, "Another one")->required()->type_name("RUN");
  command
      .add_option("--cell",
                  request->cell,
                  "This cell of both, or A's and B's: baseline, best, c07; of gates candidate")
      ->type_name("CELL[:CELL]");
  CLI::Option* const metrics = command.add_option(
      "--metric", request->metrics, "Other numbers that both have: cpu_busy_ratio,step_time");
  metrics->type_name("LIST");
  command.add_flag("--all", request->has_all_metrics, "Every number that both have")
      ->excludes(metrics);
  command.add_flag(
      "--force", request->anyway, "Also of another machine, scenario text or data, and say so");
  command.add_flag("--explain",
                   request->explain,
                   "A reason code beside each difference and each metric (tune help reason-codes)");
  CLI::Option* const json = command.add_flag("--json", request->as_json, "One JSON document");
  command
      .add_flag("--plain",
                request->as_plain,
                "Tab-separated: cell of A, of B, metric, unit, value, lower, upper of A, of B, "
                "change, what B is; with --explain its code")
      ->excludes(json);
  command.callback([&invocation, request] {
    request->quiet = invocation.quiet;
    invocation.run = [&invocation, request] {
      request->color = invocation.color;
      return compare_command(*request);
    };
  });
}

}  // namespace tune::cli
