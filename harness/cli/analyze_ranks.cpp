#include "cli/analyze_ranks.h"

#include "advice/diagnosis.h"
#include "advice/rule/rank_facts.h"
#include "advice/rule/trace_facts.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/whole_number.h"
#include "cli/ask_rules.h"
#include "cli/standard_streams.h"
#include "cli/trace_answer.h"
#include "report/diagnosis_text.h"
#include "report/result_of.h"
#include "report/trace_comparison.h"
#include "trace/metric/trace_metrics.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <set>
#include <utility>

namespace tune::cli {

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_in(const fs::path& directory) {
  std::error_code failed;
  std::vector<fs::path> files;
  for (fs::directory_iterator entry(directory, failed), end; !failed && entry != end;
       entry.increment(failed)) {
    std::error_code unknown;
    if (entry->is_regular_file(unknown)) {
      files.push_back(entry->path().lexically_normal());
    }
  }
  if (failed) {
    throw Error(Error::Parts{directory.string(), "cannot be listed", failed.message(), ""});
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

std::vector<TraceFile> find_trace_files(const std::vector<std::string>& words) {
  std::vector<TraceFile> files;
  files.reserve(words.size());
  for (const std::string& word : words) {
    std::error_code unknown;
    if (!fs::is_directory(word, unknown)) {
      files.push_back({word});
      continue;
    }
    for (const fs::path& file : files_in(word)) {
      files.push_back({file, false});
    }
  }
  return files;
}

namespace {

/// A trace that could be read, without its rows.
struct FoundTrace {
  std::string file;
  profile::RankInfo rank;
};

std::vector<FoundTrace> look_at_traces(const AnalyzeRequest& request,
                                       const std::vector<TraceFile>& files) {
  std::vector<FoundTrace> found;
  for (const TraceFile& file : files) {
    try {
      const profile::Timeline timeline = read_named_trace(file.path, read_options(request));
      found.push_back({file.path.string(), timeline.rank});
    } catch (const Error&) {
      if (file.is_named) {
        throw;
      }
    }
  }
  return found;
}

// "0, 1 and 2 traces that do not say theirs", "none".
std::string ranks_of(const std::vector<FoundTrace>& traces) {
  std::set<std::int64_t> ranks;
  std::size_t silent = 0;
  for (const FoundTrace& trace : traces) {
    if (trace.rank.rank) {
      ranks.insert(*trace.rank.rank);
    } else {
      ++silent;
    }
  }
  std::string text;
  for (const std::int64_t rank : ranks) {
    text += (text.empty() ? "" : ", ") + std::to_string(rank);
  }
  if (silent > 0) {
    text += (text.empty() ? "" : " and ") + std::to_string(silent) +
            (silent == 1 ? " trace that does not say its rank" : " traces that do not say theirs");
  }
  return text.empty() ? "none" : text;
}

}  // namespace

std::optional<std::int64_t> wished_rank(const std::string& text) {
  if (text.empty()) {
    return std::nullopt;
  }
  const auto rank = parse_whole(text);
  if (!rank || *rank < 0) {
    throw Error(
        Error::Parts{"--rank " + text, "is not a rank", "a whole number from 0 on", "--rank 0"});
  }
  return rank;
}

RankSearch find_rank(const AnalyzeRequest& request, const std::vector<TraceFile>& files) {
  const auto wanted = wished_rank(request.rank);
  const std::vector<FoundTrace> traces = look_at_traces(request, files);
  RankSearch search;
  for (const FoundTrace& trace : traces) {
    if (trace.rank.rank != wanted) {
      continue;
    }
    if (!search.file.empty()) {
      throw Error(Error::Parts{"--rank " + request.rank,
                               "two traces are of it",
                               search.file + " and " + trace.file,
                               "name one of them"});
    }
    search.file = trace.file;
  }
  if (search.file.empty()) {
    search.problem =
        "--rank " + request.rank + ": no trace is of that rank; there is " + ranks_of(traces);
  }
  return search;
}

namespace {

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
  if (rank::are_of_one_job(read.ranks)) {
    rule::add_rank_facts(read.ranks, facts);
  }
  return advice::diagnose(catalog, std::move(facts));
}

// With the doubts, as of one trace.
void add_advice(const result::Result& said,
                const std::vector<rank::RankSummary>& ranks,
                std::vector<std::string>& remarks) {
  constexpr std::size_t kMost = 3;
  const auto add = [&remarks](const std::string& title, const std::vector<std::string>& lines) {
    if (!lines.empty()) {
      remarks.push_back(title);
      remarks.insert(remarks.end(), lines.begin(), lines.end());
    }
  };
  add("warnings", report::doubt_lines(said));
  add("recommendations of what the rules say of " +
          rank::rank_text(ranks[rule::pacing_rank(ranks)]) +
          (rank::are_of_one_job(ranks) ? ", which sets the pace, and of the ranks together"
                                       : ", which takes the longest") +
          "; predicted and not measured",
      report::recommendation_lines(said, kMost));
}

// Why what is left of a trace is not as long as any step; "" where a step of it is whole.
std::string why_no_whole_step(const metric::TraceInput& input) {
  const profile::Timeline& timeline = input.timeline;
  if (std::string why = metric::why_no_steps(input); !why.empty()) {
    return why;
  }
  if (input.partition.steps.are_known) {
    return "";
  }
  return timeline.cut_at_ns ? "--memory has room for a part of the trace, without a whole step"
         : timeline.notes.of(profile::NoteKind::truncated_tail).count > 0
             ? "the file ends too early, before the end of a step"
             : "";
}

// A part of a step says nothing about who is slow.
void leave_out(const std::vector<report::SkippedFile>& partial, ReadRanks& read) {
  if (partial.size() == read.ranks.size()) {
    return;
  }
  for (const report::SkippedFile& file : partial) {
    std::erase_if(read.ranks,
                  [&file](const rank::RankSummary& summary) { return summary.file == file.file; });
    read.skipped.push_back(file);
  }
}

}  // namespace

ReadRanks read_ranks(const AnalyzeRequest& request, const std::vector<TraceFile>& files) {
  const profile::ReadOptions options = read_options(request);
  const std::int64_t start_ns = monotonic_ns();
  ReadRanks read;
  std::vector<report::SkippedFile> partial;
  for (const TraceFile& file : files) {
    try {
      const profile::Timeline timeline = read_named_trace(file.path, options);
      const metric::TraceInput input = metric::examine(timeline);
      if (const std::string why = why_no_whole_step(input); !why.empty()) {
        partial.push_back(
            {timeline.file, timeline.file + ": has no whole step to compare (" + why + ")", true});
      }
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
  leave_out(partial, read);
  rank::order_ranks(read.ranks);
  read.elapsed_ns = monotonic_ns() - start_ns;
  return read;
}

ExitCode analyze_ranks(const AnalyzeRequest& request, const ReadRanks& read) {
  const rule::Catalog catalog = read_rules(request.rules);
  const advice::Diagnosis diagnosis = diagnose_ranks(catalog, read);
  report::TraceComparison comparison = report::compare_ranks(read.ranks, read.skipped);
  add_advice(report::result_of(diagnosis), read.ranks, comparison.remarks);
  report::AnalysisRecord record = begin_record(request, name_of(request));
  record.diagnosis = &diagnosis;
  record.warnings = read.warnings;
  record.elapsed_ns = read.elapsed_ns;
  return show_comparison(
      request, comparison, record, report::ranks_json(read.ranks, comparison, read.skipped));
}

}  // namespace tune::cli
