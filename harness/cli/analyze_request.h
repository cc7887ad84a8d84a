#pragma once

#include "cli/ask_rules.h"
#include "cli/terminal.h"
#include "report/analysis_json.h"
#include "trace/critical_path.h"
#include "trace/reader/timeline_builder.h"
#include "trace/table/tables.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace tune::cli {

/// --table NAME [--group-by name|shape|stack:N|module] [--sort COLUMN] [--top N] as typed.
struct TableRequest {
  std::string table;  ///< "": none is asked for
  std::string group_by, sort;
  std::size_t top = 0;  ///< 0: all rows

  bool is_asked() const { return !table.empty(); }
};

void add_table_options(CLI::App& command, TableRequest& request);

/// Throws tune::Error when a word is not understood, or is there without --table: before the trace,
/// which takes its time, is read.
void check(const TableRequest& request);

/// Reads what the groups need: stacks and Python frames.
void keep_what_is_needed(const TableRequest& request, profile::ReadOptions& options);

/// Makes, sorts and cuts the table. Throws tune::Error when it has no column to sort by.
table::Table requested_table(const TableRequest& request, const table::TableInput& input);

/// Adds --what-if 'PART[ NAME]=FACTOR', which may be given several times.
void add_what_if_option(CLI::App& command, std::vector<std::string>& texts);

/// "kernel gemm=0.5": edges of the part whose row's name holds the text weigh half. FACTOR is 0 to
/// 1000. Throws tune::Error when a text is not understood.
std::vector<profile::WhatIf> parse_what_if(const std::vector<std::string>& texts);

/// `tune analyze` as typed.
struct AnalyzeRequest {
  std::vector<std::string> traces;
  std::string output;
  std::string memory;                ///< "" for 2GiB
  std::string rank;                  ///< --rank: of the traces that of this rank alone, or ""
  std::vector<std::string> what_if;  ///< --what-if, each
  bool diff = false;
  bool with_python = false;
  bool with_stacks = false;
  bool dry_run = false;  ///< writes no reports
  bool as_json = false;
  bool quiet = false, verbose = false;
  ColorWish color = ColorWish::automatic;
  TableRequest table;
  RuleOptions rules;
  std::vector<std::string> words;
};

/// Throws tune::Error when --memory is not a size, or too little.
profile::ReadOptions read_options(const AnalyzeRequest& request);

/// The file's name without what tells its format: "trace" of "trace.pt.trace.json.gz";
/// "standard-input" of "-".
std::string stem_of(const std::filesystem::path& trace);

/// A record with when, how and by which build; its directory is what -o names, else
/// tune-runs/analyze-<name>-<UTC>, and empty with --dry-run. Reports of an earlier analysis may be
/// replaced there; anything else in the folder is left alone.
report::AnalysisRecord begin_record(const AnalyzeRequest& request, const std::string& name);

/// The files of an analysis as text.
struct AnalysisFiles {
  std::string json, markdown, html;
};

/// Writes result.json, report.md and report.html. Throws tune::Error when that is not possible.
void write_analysis(const std::filesystem::path& directory, const AnalysisFiles& files);

/// "report:  <directory>/report.html", a line; nothing where no reports are written.
std::string report_line(const std::filesystem::path& directory);

/// Prints what reading warned of, unless -q.
void print_warnings(const AnalyzeRequest& request, const std::vector<std::string>& warnings);

}  // namespace tune::cli
