// What was not measured: settings that failed, that never ran, that were not tried.

#include "report/failures.h"
#include "report/headline.h"
#include "report/number_text.h"
#include "report/run_sections.h"
#include "report/run_words.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tune::report {

namespace {

constexpr std::size_t kLongestReason = 400, kLongestTailLine = 200;
constexpr std::size_t kMostTailLines = 8;
constexpr std::size_t kMostInMarkdown = 20;
constexpr std::string_view kNotMeasured = "not measured: ", kAtMost = "at most ";  // of the search

/// The first trial of each cell that failed.
using FirstFailures = std::map<std::string_view, const result::Trial*>;

FirstFailures first_failures(const result::Result& result) {
  FirstFailures found;
  for (const result::Trial& trial : result.provenance.trials) {
    if (!trial.outcome.empty() && trial.outcome != "completed") {
      found.emplace(trial.cell, &trial);
    }
  }
  return found;
}

const result::Trial* trial_of(const FirstFailures& failures, const result::Cell& cell) {
  const auto found = failures.find(cell.id);
  return found == failures.end() ? nullptr : found->second;
}

bool was_never_run(const result::Cell& cell, const result::Trial* failure) {
  return cell.outcome == "not-run" && failure == nullptr;
}

// Without what the heading says; the search's figures are its model's.
std::string why_unmeasured(const result::Cell& cell) {
  std::string_view reason = cell.reason;
  if (reason.starts_with(kNotMeasured)) {
    reason.remove_prefix(kNotMeasured.size());
  }
  return shortened((is_ruled_out(cell) ? "by the search's model " : "") + std::string(reason),
                   kLongestReason);
}

std::string last_lines(std::string_view text) {
  std::vector<std::string> lines;
  const std::string clean = printable(text);
  for (std::size_t start = 0; start < clean.size();) {
    const std::size_t end = std::min(clean.find('\n', start), clean.size());
    if (end > start) {
      lines.push_back(shortened(clean.substr(start, end - start), kLongestTailLine));
    }
    start = end + 1;
  }
  std::string tail;
  const std::size_t skipped = lines.size() > kMostTailLines ? lines.size() - kMostTailLines : 0;
  for (std::size_t i = skipped; i < lines.size(); ++i) {
    tail += (tail.empty() ? "" : "\n") + lines[i];
  }
  return tail;
}

// What each trial wrote last, by its id: the run directory has it.
std::map<std::string_view, std::string_view> tails_of(const campaign::CampaignResult* directory) {
  std::map<std::string_view, std::string_view> tails;
  if (directory != nullptr) {
    for (const campaign::TrialRecord& trial : directory->trials) {
      tails.emplace(trial.spec.id, trial.outcome.stderr_tail);
    }
  }
  return tails;
}

Table failures_table(const std::vector<Failure>& found, std::size_t most) {
  Table table{.caption = "Settings of which trials failed",
              .columns = {{"setting"}, {"outcome"}, {"reason"}, {"first failed trial"}}};
  for (std::size_t i = 0; i < std::min(found.size(), most); ++i) {
    const Failure& failure = found[i];
    table.rows.push_back({failure.setting,
                          failure.outcome,
                          failure.reason,
                          failure.trial.empty() ? "none" : failure.trial});
  }
  table.left_out = found.size() - table.rows.size();
  table.row_word = "setting";
  return table;
}

// What the first of them wrote last; each opens by a click.
void add_tails(const std::vector<Failure>& failures, std::size_t most, Section& section) {
  std::size_t shown = 0, left_out = 0;
  for (const Failure& failure : failures) {
    if (failure.stderr_tail.empty()) {
      continue;
    }
    if (shown == most) {
      ++left_out;
      continue;
    }
    ++shown;
    section.add(Folded{"Last lines of " + failure.trial + " (" + failure.setting + ")",
                       {{Code{failure.stderr_tail}}}},
                kInHtml);
  }
  if (left_out > 0) {
    section.add(Sentence{left_out_sentence(
                    "The last lines of " +
                        counted(static_cast<std::int64_t>(left_out), "more failed trial"),
                    "stderr.log of each")},
                kInHtml);
  }
}

Table unmeasured_table(const std::vector<Unmeasured>& found, std::size_t most) {
  Table table{.caption = "Settings that no trial was run of", .columns = {{"setting"}, {"reason"}}};
  for (std::size_t i = 0; i < std::min(found.size(), most); ++i) {
    table.rows.push_back({found[i].setting, found[i].reason});
  }
  table.left_out = found.size() - table.rows.size();
  table.row_word = "setting";
  return table;
}

// In Markdown a few rows, and columns, of the same.
void add_short(Table table, std::size_t columns, Section& section) {
  const std::size_t all = table.rows.size() + table.left_out;
  table.left_out = 0;
  table.columns.resize(columns);
  table.rows.resize(std::min(table.rows.size(), kMostInMarkdown));
  for (std::vector<std::string>& row : table.rows) {
    row.resize(columns);
  }
  const std::size_t more = all - table.rows.size();
  section.add(std::move(table), kInMarkdown);
  if (more > 0) {
    section.add(Sentence{std::to_string(more) + " more."}, kInMarkdown);
  }
}

Table collapsed_table(const result::Result& result) {
  Table table{.caption = "Knobs that cannot matter here; equal cells are run once",
              .columns = {{"knob"}, {"reason"}, {"combinations saved", Table::Align::right}}};
  for (const result::Collapsed& knob : result.collapsed) {
    table.rows.push_back({one_line(knob.knob), one_line(knob.reason), std::to_string(knob.cells)});
  }
  return table;
}

Table forbidden_table(const result::Result& result) {
  Table table{.caption = "Combinations that the scenario forbids",
              .columns = {{"expression"}, {"combinations", Table::Align::right}}};
  for (const result::Forbidden& forbidden : result.forbidden) {
    table.rows.push_back({one_line(forbidden.expression), std::to_string(forbidden.cells)});
  }
  return table;
}

// Both in one list.
std::vector<std::string> skipped_lines(const result::Result& result) {
  std::vector<std::string> lines;
  for (const result::Collapsed& knob : result.collapsed) {
    lines.push_back(shortened(knob.knob, kLongestReason) + ": " +
                    shortened(knob.reason, kLongestReason) + " (" +
                    counted(knob.cells, "combination") + " saved)");
  }
  for (const result::Forbidden& forbidden : result.forbidden) {
    lines.push_back("forbidden by " + shortened(forbidden.expression, kLongestReason) + ": " +
                    counted(forbidden.cells, "combination"));
  }
  if (const std::size_t all = lines.size(); all > kMostInMarkdown) {
    lines.resize(kMostInMarkdown);
    lines.push_back(std::to_string(all - kMostInMarkdown) + " more");
  }
  return lines;
}

}  // namespace

std::vector<Failure> failures(const Run& run) {
  std::vector<Failure> found;
  const FirstFailures first = first_failures(run.result);
  const auto tails = tails_of(run.directory);
  for (const result::Cell& cell : run.result.cells) {
    const result::Trial* const trial = trial_of(first, cell);
    if (was_never_run(cell, trial) || (cell.outcome == "completed" && trial == nullptr)) {
      continue;
    }
    Failure failure{.setting = setting_words(cell)};
    failure.outcome = shortened(cell.outcome, kLongestReason);
    failure.reason = shortened(cell.reason, kLongestReason);
    if (trial != nullptr) {
      failure.trial = one_line(trial->id);
      if (const auto tail = tails.find(trial->id); tail != tails.end()) {
        failure.stderr_tail = last_lines(tail->second);
      }
      if (cell.outcome == "completed" || cell.outcome == "not-run") {
        failure.outcome = shortened(trial->outcome, kLongestReason);
      }
      if (failure.reason.empty()) {
        failure.reason = shortened(trial->reason, kLongestReason);
      }
    }
    found.push_back(std::move(failure));
  }
  return found;
}

std::vector<Unmeasured> unmeasured(const result::Result& result) {
  std::vector<Unmeasured> found;
  const FirstFailures first = first_failures(result);
  for (const result::Cell& cell : result.cells) {
    if (was_never_run(cell, trial_of(first, cell))) {
      found.push_back({.setting = setting_words(cell), .reason = why_unmeasured(cell)});
    }
  }
  return found;
}

bool is_ruled_out(const result::Cell& cell) {
  const std::string_view reason = cell.reason;
  return cell.outcome == "not-run" && reason.starts_with(kNotMeasured) &&
         reason.substr(kNotMeasured.size()).starts_with(kAtMost);
}

Section run_failures_section(const Run& run, const PageDetail& detail) {
  Section section{.title = "What failed"};
  const std::vector<Failure> found = failures(run);
  if (found.empty()) {
    return section.add(Sentence{run.result.provenance.trials.empty()
                                    ? "No trial was run."
                                    : "Every setting that ran completed every trial."},
                       kInHtml);
  }
  Table table = failures_table(found, detail.settings);
  const std::size_t listed = table.rows.size();
  add_short(table, table.columns.size() - 1, section);
  section.add(std::move(table), kInHtml);
  add_tails(found, std::min(listed, detail.tails), section);
  return section;
}

Section run_unmeasured_section(const Run& run, const PageDetail& detail) {
  Section section{.title = "Not measured"};
  const std::vector<Unmeasured> found = unmeasured(run.result);
  if (found.empty()) {
    return section;
  }
  Table table = unmeasured_table(found, detail.settings);
  add_short(table, table.columns.size(), section);
  return section.add(std::move(table), kInHtml);
}

Section run_skipped_section(const Run& run) {
  const result::Result& result = run.result;
  // Settings of recommendations may have been tried besides the grid.
  const std::size_t cells =
      run.directory == nullptr ? result.cells.size() : run.directory->plan.cells.size();
  Section section{.title = "What was not tried"};
  section.add(Sentence{"The full grid has " + counted(result.summary.trials.grid, "combination") +
                       "; " + std::to_string(cells) +
                       " different ones remain on this machine, the baseline included."},
              kInHtml);
  if (std::vector<std::string> lines = skipped_lines(result); !lines.empty()) {
    section.add(List{std::move(lines)}, kInMarkdown);
  }
  if (!result.collapsed.empty()) {
    section.add(collapsed_table(result), kInHtml);
  }
  return result.forbidden.empty() ? section : section.add(forbidden_table(result), kInHtml);
}

}  // namespace tune::report
