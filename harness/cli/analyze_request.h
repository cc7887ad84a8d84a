#pragma once

#include "cli/rule_options.h"
#include "cli/table_request.h"
#include "cli/terminal.h"
#include "profile/reader/timeline_builder.h"
#include "report/analysis_json.h"

#include <filesystem>
#include <string>
#include <vector>

namespace tune::cli {

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
  bool as_json = false;
  bool quiet = false;
  ColorWish color = ColorWish::automatic;
  TableRequest table;
  RuleOptions rules;
  std::vector<std::string> words;
};

/// Throws tune::Error when --memory is no size, or too little.
profile::ReadOptions read_options(const AnalyzeRequest& request);

/// The file's name without what tells its format: "trace" of "trace.pt.trace.json.gz";
/// "standard-input" of "-".
std::string stem_of(const std::filesystem::path& trace);

/// A record with when, how and by which build; its directory is what -o names, else
/// tune-runs/analyze-<name>-<UTC>. Reports of an earlier analysis may be replaced there; anything
/// else in the folder is left alone.
report::AnalysisRecord begin_record(const AnalyzeRequest& request, const std::string& name);

/// The files of an analysis as text.
struct AnalysisFiles {
  std::string json, markdown, html;
};

/// Writes result.json, report.md and report.html. Throws tune::Error when that is not possible.
void write_analysis(const std::filesystem::path& directory, const AnalysisFiles& files);

/// Prints what reading warned of, unless -q.
void print_warnings(const AnalyzeRequest& request, const std::vector<std::string>& warnings);

}  // namespace tune::cli
