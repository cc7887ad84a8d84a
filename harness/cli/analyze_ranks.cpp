#include "cli/analyze_ranks.h"

#include "advice/diagnosis.h"
#include "base/clock.h"
#include "base/error.h"
#include "cli/rule_options.h"
#include "cli/show_comparison.h"
#include "cli/standard_input.h"
#include "metric/trace_metrics.h"
#include "report/diagnosis_text.h"
#include "report/trace_comparison.h"
#include "rule/rank_facts.h"
#include "rule/trace_facts.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <filesystem>
#include <utility>

namespace tune::cli {

namespace {

namespace fs = std::filesystem;

// "job" of `tune analyze job/`, "rank0-ranks" of files.
std::string name_of(const AnalyzeRequest& request) {
  const fs::path first = fs::absolute(request.traces.front()).lexically_normal();
  std::error_code unknown;
  if (request.traces.size() == 1 && fs::is_directory(first, unknown)) {
    return (first.has_filename() ? first : first.parent_path()).filename().string();
  }
  return stem_of(first) + "-ranks";
}

// What limits the job is what limits the rank that sets the pace; the others wait for it.
advice::Diagnosis diagnose_ranks(const rule::Catalog& catalog, const ReadRanks& read) {
  rule::FactTable facts = read.facts.at(read.ranks[rule::pacing_rank(read.ranks)].file);
  rule::add_rank_facts(read.ranks, facts);
  return advice::diagnose(catalog, std::move(facts));
}

// With the doubts, as of one trace.
void add_advice(const advice::Diagnosis& diagnosis,
                const rank::RankSummary& pacing,
                std::vector<std::string>& remarks) {
  constexpr std::size_t kMost = 3;
  const auto add = [&remarks](const std::string& title, const std::vector<std::string>& lines) {
    if (!lines.empty()) {
      remarks.push_back(title);
      remarks.insert(remarks.end(), lines.begin(), lines.end());
    }
  };
  add("doubts", report::doubt_lines(diagnosis));
  add("recommendations of what the rules say of " + rank::rank_text(pacing) +
          ", which sets the pace, and of the ranks together; predicted and not measured",
      report::recommendation_lines(diagnosis, kMost));
}

}  // namespace

ReadRanks read_ranks(const AnalyzeRequest& request, const std::vector<TraceFile>& files) {
  const profile::ReadOptions options = read_options(request);
  const std::int64_t start_ns = monotonic_ns();
  ReadRanks read;
  for (const TraceFile& file : files) {
    try {
      const profile::Timeline timeline = read_named_trace(file.path, options);
      const metric::TraceInput input = metric::examine(timeline);
      read.ranks.push_back(rank::summarise_rank(input));
      read.facts.insert_or_assign(timeline.file,
                                  rule::facts_of_trace(input, metric::trace_metrics(input)));
      for (const std::string& warning : timeline.notes.warnings()) {
        read.warnings.push_back(timeline.file + ": " + warning);
      }
    } catch (const Error& error) {
      if (file.is_named) {
        throw;
      }
      read.skipped.push_back({file.path.string(), error.what()});
    }
  }
  rank::order_ranks(read.ranks);
  read.elapsed_ns = monotonic_ns() - start_ns;
  return read;
}

ExitCode analyze_ranks(const AnalyzeRequest& request, const ReadRanks& read) {
  const rule::Catalog catalog = read_rules(request.rules);
  const advice::Diagnosis diagnosis = diagnose_ranks(catalog, read);
  report::TraceComparison comparison = report::compare_ranks(read.ranks, read.skipped);
  add_advice(diagnosis, read.ranks[rule::pacing_rank(read.ranks)], comparison.remarks);
  report::AnalysisRecord record = begin_record(request, name_of(request));
  record.diagnosis = &diagnosis;
  record.warnings = read.warnings;
  record.elapsed_ns = read.elapsed_ns;
  return show_comparison(
      request, comparison, record, report::ranks_json(read.ranks, comparison, read.skipped));
}

}  // namespace tune::cli
