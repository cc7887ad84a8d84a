#include "cli/analyze_request.h"

#include "base/error.h"
#include "base/file.h"
#include "base/units.h"
#include "cli/answer.h"
#include "cli/embedded_texts.h"
#include "cli/flags.h"
#include "cli/open_run.h"
#include "cli/standard_streams.h"

#include <CLI/App.hpp>

#include <algorithm>
#include <charconv>
#include <iostream>
#include <string_view>

namespace tune::cli {

namespace {

constexpr std::string_view kStack = "stack:";
constexpr std::size_t kMostFrames = 100;

table::GroupBy parse_group(const std::string& text) {
  using Kind = table::GroupBy::Kind;
  if (text.starts_with(kStack)) {
    std::size_t frames = 0;
    const char* const end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data() + kStack.size(), end, frames);
    if (error != std::errc() || stopped != end || frames == 0 || frames > kMostFrames) {
      throw Error(Error::Parts{"--group-by " + text,
                               "is not a number of frames",
                               "1 to " + std::to_string(kMostFrames),
                               "--group-by stack:5"});
    }
    return {Kind::stack, frames};
  }
  if (!text.empty()) {
    expect_word("--group-by", text, {"name", "shape", "stack:5", "module"});
  }
  return {text == "shape" ? Kind::shape : text == "module" ? Kind::module : Kind::name};
}

}  // namespace

void add_table_options(CLI::App& command, TableRequest& request) {
  command.add_option("--table", request.table, "Print one table instead of the overview")
      ->type_name(one_of(table::table_names()));
  command
      .add_option("--group-by",
                  request.group_by,
                  "Rows of --table operators; stack:N are the innermost N frames")
      ->type_name(one_of({"name", "shape", "stack:5", "module"}));
  command.add_option("--sort",
                     request.sort,
                     "Column of --table to sort by, as in result.json; PyTorch's names, such as "
                     "cuda_time_total, too");
  command.add_option("--top", request.top, "Most rows of --table");
}

void check(const TableRequest& request) {
  if (request.is_asked()) {
    expect_word("--table", request.table, table::table_names());
  } else if (!request.group_by.empty() || !request.sort.empty() || request.top > 0) {
    throw Error(Error::Parts{request.top > 0        ? "--top"
                             : request.sort.empty() ? "--group-by"
                                                    : "--sort",
                             "says nothing without --table",
                             "it is about one table",
                             "--table operators"});
  }
  if (!request.group_by.empty() && request.table != "operators") {
    throw Error(Error::Parts{"--group-by " + request.group_by,
                             "does not fit --table " + request.table,
                             "only operators can be grouped",
                             "--table operators"});
  }
  parse_group(request.group_by);
}

void keep_what_is_needed(const TableRequest& request, profile::ReadOptions& options) {
  using Kind = table::GroupBy::Kind;
  const Kind kind = parse_group(request.group_by).kind;
  options.with_call_stacks = options.with_call_stacks || kind == Kind::stack;
  options.with_python = options.with_python || kind == Kind::stack || kind == Kind::module;
}

table::Table requested_table(const TableRequest& request, const table::TableInput& input) {
  table::Table table = table::make_table(input, request.table, parse_group(request.group_by));
  if (table.is_applicable() && !request.sort.empty()) {
    table::sort_rows(table, request.sort);
  }
  table::keep_top(table, request.top);
  return table;
}

namespace {

constexpr double kMostFactor = 1000;

std::vector<std::string> part_names() {
  std::vector<std::string> names;
  names.reserve(profile::kPathParts);
  for (std::size_t i = 0; i < profile::kPathParts; ++i) {
    names.emplace_back(profile::path_part_name(static_cast<profile::PathPart>(i)));
  }
  return names;
}

std::string list_of(const std::vector<std::string>& words) {
  std::string list;
  for (const std::string& word : words) {
    list += (list.empty() ? "" : ", ") + word;
  }
  return list;
}

// Names may hold a '=' too: the last one counts.
double parse_factor(const std::string& text, std::size_t equals) {
  const std::string_view number = std::string_view(text).substr(equals + 1);
  double factor = 0;
  const char* const end = number.data() + number.size();
  const auto [stopped, error] = std::from_chars(number.data(), end, factor);
  // Also false for nan.
  const bool is_factor =
      error == std::errc() && stopped == end && factor >= 0 && factor <= kMostFactor;
  if (!is_factor) {
    throw Error(Error::Parts{"--what-if '" + text + "'",
                             "has no factor",
                             "0 to 1000: what its time is multiplied by",
                             "--what-if 'launch=0'"});
  }
  return factor;
}

profile::WhatIf parse_one(const std::string& text) {
  const std::size_t equals = text.rfind('=');
  if (equals == std::string::npos) {
    throw Error(Error::Parts{"--what-if '" + text + "'",
                             "has no =",
                             "a part, perhaps a part of a name, and a factor",
                             "--what-if 'kernel gemm=0.5'"});
  }
  profile::WhatIf change{.factor = parse_factor(text, equals)};
  const std::string what = text.substr(0, equals);
  const std::size_t space = std::min(what.find(' '), what.size());
  const std::string part = what.substr(0, space);
  const std::vector<std::string> names = part_names();
  expect_word("--what-if '" + text + "'", part, names);
  const auto index = std::find(names.begin(), names.end(), part) - names.begin();
  change.part = static_cast<profile::PathPart>(index);
  change.name = space < what.size() ? what.substr(space + 1) : "";
  return change;
}

}  // namespace

void add_what_if_option(CLI::App& command, std::vector<std::string>& texts) {
  command
      .add_option("--what-if",
                  texts,
                  "'PART[ NAME]=FACTOR': the step at best, were the time of a part of the critical "
                  "path, or of the rows of it whose names hold NAME, multiplied by FACTOR: "
                  "'launch=0', 'kernel gemm=0.5'. Several count together. PART: " +
                      list_of(part_names()))
      ->allow_extra_args(false);
}

std::vector<profile::WhatIf> parse_what_if(const std::vector<std::string>& texts) {
  std::vector<profile::WhatIf> changes;
  changes.reserve(texts.size());
  for (const std::string& text : texts) {
    changes.push_back(parse_one(text));
  }
  return changes;
}

namespace fs = std::filesystem;

namespace {

// The part of the memory that rows may take. The program, its buffers and the text at hand
// need the first part; what is made of the rows (nesting, launches, intervals, tables) up to as
// much again as they do: tests/bench/README.md.
constexpr std::int64_t kBesideRows = 24 << 20;
constexpr double kShareOfRows = 0.45;
constexpr const char* kUsualMemory = "2GiB";

std::int64_t for_rows(std::int64_t bytes) {
  return static_cast<std::int64_t>(static_cast<double>(bytes - kBesideRows) * kShareOfRows);
}

}  // namespace

profile::ReadOptions read_options(const AnalyzeRequest& request) {
  profile::ReadOptions options;
  options.with_python = request.with_python;
  options.with_call_stacks = request.with_stacks;
  keep_what_is_needed(request.table, options);
  constexpr std::int64_t kLeast = 64 << 20;
  const auto bytes = parse_bytes(request.memory.empty() ? kUsualMemory : request.memory);
  if (!bytes || *bytes < kLeast) {
    throw Error(Error::Parts{"--memory " + request.memory,
                             bytes ? "is too little" : "is not a size",
                             "at least 64MiB, with a unit: B, KB, MB, GB, KiB, MiB, GiB",
                             "--memory 2GiB"});
  }
  options.memory_limit_bytes = for_rows(*bytes);
  return options;
}

std::string stem_of(const fs::path& trace) {
  if (is_standard_input(trace)) {
    return "standard-input";
  }
  std::string name = trace.filename().string();
  for (const std::string_view ending : {".gz", ".zst", ".json", ".trace", ".pt"}) {
    if (name.ends_with(ending) && name.size() > ending.size()) {
      name.resize(name.size() - ending.size());
    }
  }
  return name;
}

report::AnalysisRecord begin_record(const AnalyzeRequest& request, const std::string& name) {
  report::AnalysisRecord record;
  record.started_utc = utc_now();
  record.tune_version = version();
  record.commit = commit();
  record.command = request.words;
  const fs::path directory =
      request.output.empty()
          ? choose_run_directory(RunRequest{}, "analyze-" + name, record.started_utc)
          : fs::absolute(request.output).lexically_normal();
  record.directory = request.dry_run ? "" : directory.string();
  return record;
}

void write_analysis(const fs::path& directory, const AnalysisFiles& files) {
  make_folders(directory, "-o DIR");
  write_file_synced(directory / "result.json", files.json);
  write_file_synced(directory / "report.md", files.markdown);
  write_file_synced(directory / "report.html", files.html);
}

std::string report_line(const fs::path& directory) {
  return directory.empty() ? "" : "report:  " + short_path(directory / "report.html") + "\n";
}

void print_warnings(const AnalyzeRequest& request, const std::vector<std::string>& warnings) {
  if (request.quiet) {
    return;
  }
  for (const std::string& warning : warnings) {
    std::cerr << warning << '\n';
  }
}

}  // namespace tune::cli
