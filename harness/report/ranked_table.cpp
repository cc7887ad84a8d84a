// The settings of a run, ranked.

#include "report/ranked_table.h"

#include "base/text.h"
#include "report/cell_times.h"
#include "report/number_text.h"
#include "report/run_words.h"
#include "report/script_words.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string_view>

namespace tune::report {

namespace {

constexpr std::size_t kLongestOutcome = 100, kLongestVerdict = 40;
constexpr const char* kCheckMark = "\xE2\x9C\x93";

/// Gain and rate of a cell, both from the same trials, and which these were.
struct Source {
  result::Number gain, rate;
  std::string trials;
};

bool is_confirmed(const std::string& verdict) {
  return verdict == "CONFIRMED";
}

// Where pairs did not prove a gain, the medians of both sides may even contradict its sign.
result::Number proven_rate(const std::string& verdict, const result::Number& rate) {
  return is_confirmed(verdict) ? rate : result::Number{};
}

/// What the rows need of the whole result, looked up once.
struct Lookup {
  MetricByCell peak_memory;
  std::vector<MetricByCell> numbers;  // those of cell_numbers() that have a column
  std::map<std::string_view, Source> fresh_pairs;
  std::map<std::string, std::string> untested;
};

// "8 fresh pairs ✓": the mark is next to the trials that earned it.
std::string pairs_text(std::int64_t pairs, const std::string& verdict) {
  const std::string text = counted(pairs, "fresh pair");
  return is_confirmed(verdict) ? text + " " + kCheckMark
         : verdict.empty()     ? text + ", not decided"
                               : text + ", " + shortened(verdict, kLongestVerdict);
}

Lookup lookup_of(const result::Result& result) {
  Lookup lookup{.peak_memory = MetricByCell(result, "peak_memory_bytes"),
                .untested = untested_cells(result)};
  for (const CellNumber& number : cell_numbers()) {
    if (!number.column.empty()) {
      lookup.numbers.emplace_back(result, number.id);
    }
  }
  for (const result::Confirmation& row : result.confirmations) {
    if (row.pairs > 0 && row.gain.value) {
      lookup.fresh_pairs.emplace(row.cell,
                                 Source{row.gain,
                                        proven_rate(row.verdict, row.throughput),
                                        pairs_text(row.pairs, row.verdict)});
    }
  }
  const result::Summary& summary = result.summary;
  const result::Best& best = summary.best;
  if (!has_fresh_pairs(result)) {
    return lookup;
  }
  Source& source = lookup.fresh_pairs[best.side.cell];
  source.gain = best.gain;
  source.rate = proven_rate(best.verdict, best.side.throughput);
  source.trials = pairs_text(best.pairs, best.verdict);
  lookup.fresh_pairs.emplace(
      summary.baseline.cell,
      Source{{}, summary.baseline.throughput, counted(best.pairs, "fresh pair")});
  return lookup;
}

// Where a cell ran in fresh pairs, their numbers are the only ones of it.
Source source_of(const result::Cell& cell, const Lookup& lookup) {
  if (const auto fresh = lookup.fresh_pairs.find(cell.id); fresh != lookup.fresh_pairs.end()) {
    return fresh->second;
  }
  const std::string stage = cell.window.empty() ? "search" : cell.window;
  return {cell.gain,
          cell.throughput,
          cell.throughput.value ? stage + ", " + counted(cell.rounds, "round") : ""};
}

// A cold page cache is what only the run directory tells of.
std::string remark_on(const result::Cell& cell, const Lookup& lookup, bool was_cold) {
  const auto untested = lookup.untested.find(cell.id);
  std::string remark = untested == lookup.untested.end() ? "" : untested->second;
  const auto add = [&](const std::string& word) { remark += (remark.empty() ? "" : ", ") + word; };
  if (cell.disturbed) {
    add("disturbed");
  }
  if (cell.stalls) {
    add("stalls");
  }
  if (was_cold) {
    add("cold cache");
  }
  if (2 * cell.steadiness.not_steady > cell.steadiness.trials) {
    add(cell.steadiness.label);
  }
  return remark;
}

// A narrow terminal leaves the note out.
std::string shown_setting(const result::Cell& cell, const Lookup& lookup) {
  const auto untested = lookup.untested.find(cell.id);
  const bool is_ignored =
      untested != lookup.untested.end() && untested->second.starts_with(kIgnored);
  return setting_words(cell) + (is_ignored ? " (ignored)" : "");
}

std::string outcome_text(const result::Cell& cell) {
  return cell.outcome == "not-run" ? kNotMeasured : shortened(cell.outcome, kLongestOutcome);
}

// Shorter than in a sentence: the column is the widest of a terminal.
std::string interval_cell(const result::Number& gain) {
  return !gain.value ? "" : gain.lower ? gain_interval_text(gain) : "none";
}

bool was_not_measured(const result::Cell& cell) {
  return !cell.throughput.value || cell.outcome != "completed";
}

std::vector<std::string> row_of(const result::Cell& cell,
                                const Lookup& lookup,
                                int rank,
                                bool was_cold) {
  const Source source = source_of(cell, lookup);
  std::vector<std::string> row = {
      rank > 0 ? std::to_string(rank) : "",
      one_line(cell.id),
      cell.id == "baseline" ? kBaselineSetting : shown_setting(cell, lookup),
      source.rate.value ? number_text(*source.rate.value) : "",
      source.gain.value ? gain_text(*source.gain.value) : "",
      interval_cell(source.gain),
      source.trials,
      lookup.peak_memory.text(cell.id)};
  for (const MetricByCell& number : lookup.numbers) {
    row.push_back(cell.throughput.value ? number.text(cell.id) : "");
  }
  row.push_back(cell.outcome == "completed" ? remark_on(cell, lookup, was_cold)
                                            : outcome_text(cell));
  return row;
}

std::string class_of(const result::Cell& cell, const result::Cell* best) {
  return &cell == best            ? "best"
         : was_not_measured(cell) ? "failed"
         : cell.id == "baseline"  ? "baseline"
                                  : "";
}

bool is_audited(const result::Result& result) {
  return result.method && result.method->audit && result.method->audit->complete;
}

// "; an interval of 2 rounds covers 50.0 %, of 3 rounds 75.0 %": cells differ in their rounds.
std::string coverage_words(const result::Result& result) {
  std::map<std::int64_t, double> by_rounds;
  for (const result::Cell& cell : result.cells) {
    if (cell.gain.lower && cell.gain.confidence) {
      by_rounds.emplace(cell.gain.n, *cell.gain.confidence);
    }
  }
  std::string words;
  for (const auto& [rounds, confidence] : by_rounds) {
    words += words.empty() ? "; an interval of " : ", of ";
    words += counted(rounds, "round");
    words += words.find(" covers ") == std::string::npos ? " covers " : " ";
    words += confidence_text(confidence);
  }
  return words;
}

// Why the gains do not fall from row to row.
std::string order_words(const result::Result& result) {
  const auto& cells = result.cells;
  const auto ranked = std::count_if(
      cells.begin(), cells.end(), [](const auto& cell) { return cell.gain.value.has_value(); });
  if (ranked < 2) {
    return "";
  }
  const bool has_broken = std::any_of(cells.begin(), cells.end(), [](const auto& cell) {
    return !cell.broken_constraints.empty();
  });
  const auto& fresh = result.confirmations;
  const bool is_plainest =
      !has_broken && std::any_of(fresh.begin(), fresh.end(), [&](const auto& row) {
        return row.verdict == fresh.front().verdict &&
               row.gain.value.value_or(0) > fresh.front().gain.value.value_or(0);
      });
  return std::string(" Order: fresh pairs, ") +
         (is_plainest ? "first the fewest changes where these do not tell settings apart, " : "") +
         "then the search's next candidates, then by gain" +
         (has_broken ? ", last what breaks a constraint." : ".");
}

}  // namespace

std::string ranking_note(const result::Result& result) {
  const auto& fresh = result.confirmations;
  const bool has_mark =
      is_proven(result) || std::any_of(fresh.begin(), fresh.end(), [](const auto& row) {
        return is_confirmed(row.verdict);
      });
  return (has_mark ? std::string(kCheckMark) + " proven in fresh pairs. " : std::string()) +
         "Gains of the " + (is_audited(result) ? "audit" : "search") +
         " only rank: the best of many trials looks better than it is" + coverage_words(result) +
         "." + order_words(result);
}

Table ranked_table(const Run& run, std::size_t most_rows) {
  using Align = Table::Align;
  const result::Result& result = run.result;
  Table table{.caption = "Settings, ranked",
              .columns = {{"#", Align::right},
                          {"cell"},
                          {"setting"},
                          {"samples/s", Align::right},
                          {"gain", Align::right},
                          {"interval", Align::right},
                          {"measured in"},
                          {"peak memory", Align::right}},
              .heading = 2,
              .row_word = "setting"};
  for (const CellNumber& number : cell_numbers()) {
    if (!number.column.empty()) {
      table.columns.push_back({std::string(number.column), Align::right});
    }
  }
  table.columns.push_back({"note"});
  const Lookup lookup = lookup_of(result);
  const result::Cell* const best = best_of(result);
  const std::size_t shown = std::min(result.cells.size(), most_rows);
  table.left_out = result.cells.size() - shown;
  table.rows.reserve(shown);
  int rank = 0;
  for (std::size_t i = 0; i < shown; ++i) {
    const result::Cell& cell = result.cells[i];
    const bool was_cold = run.directory != nullptr && run.directory->cells[i].cold_trials > 0;
    table.rows.push_back(row_of(cell, lookup, cell.gain.value ? ++rank : 0, was_cold));
    table.row_classes.push_back(class_of(cell, best));
  }
  return table;
}

}  // namespace tune::report
