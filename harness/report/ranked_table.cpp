// The settings of a run, ranked.

#include "report/ranked_table.h"

#include "base/text.h"
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
constexpr const char* kFreshPairs = "fresh pairs";
constexpr const char* kCheckMark = "\xE2\x9C\x93";

/// What the rows need of the whole result, looked up once.
struct Lookup {
  MetricByCell peak_memory, data_wait;
  std::map<std::string_view, std::string> fresh_pairs;
  std::map<std::string, std::string> untested;
};

bool is_confirmed(const std::string& verdict) {
  return verdict == "CONFIRMED";
}

// The verdict stands beside the gain that earned it, which is not that of the search: "✓ +43.5 %".
std::string fresh_pairs_text(const std::string& verdict, const result::Number& gain) {
  const std::string word = is_confirmed(verdict) ? kCheckMark
                           : verdict.empty()     ? "not decided"
                                                 : shortened(verdict, kLongestVerdict);
  return word + " " + (gain.value ? gain_text(*gain.value) : "not measured");
}

Lookup lookup_of(const result::Result& result) {
  Lookup lookup{.peak_memory = MetricByCell(result, "peak_memory_bytes"),
                .data_wait = MetricByCell(result, "data_wait_ratio"),
                .untested = untested_cells(result)};
  for (const result::Confirmation& row : result.confirmations) {
    if (row.pairs > 0) {
      lookup.fresh_pairs.emplace(row.cell, fresh_pairs_text(row.verdict, row.gain));
    }
  }
  const result::Best& best = result.summary.best;
  if (result.confirmations.empty() && has_fresh_pairs(result)) {  // of an older version
    lookup.fresh_pairs.emplace(best.side.cell, fresh_pairs_text(best.verdict, best.gain));
  }
  return lookup;
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
  return gain.lower ? gain_interval_text(gain) : "none (" + counted(gain.n, "round") + ")";
}

bool was_not_measured(const result::Cell& cell) {
  return !cell.throughput.value || cell.outcome != "completed";
}

std::vector<std::string> row_of(const result::Cell& cell,
                                const Lookup& lookup,
                                int rank,
                                bool was_cold) {
  const auto fresh = lookup.fresh_pairs.find(cell.id);
  return {rank > 0 ? std::to_string(rank) : "",
          one_line(cell.id),
          cell.id == "baseline" ? kBaselineSetting : shown_setting(cell, lookup),
          cell.throughput.value ? number_text(*cell.throughput.value) : "",
          cell.gain.value ? gain_text(*cell.gain.value) : "",
          cell.gain.value ? interval_cell(cell.gain) : "",
          std::to_string(cell.rounds),
          fresh == lookup.fresh_pairs.end() ? "" : fresh->second,
          lookup.peak_memory.text(cell.id),
          cell.throughput.value ? lookup.data_wait.text(cell.id) : "",
          cell.outcome == "completed" ? remark_on(cell, lookup, was_cold) : outcome_text(cell)};
}

std::string class_of(const result::Cell& cell, const result::Cell* best) {
  return &cell == best            ? "best"
         : was_not_measured(cell) ? "failed"
         : cell.id == "baseline"  ? "baseline"
                                  : "";
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

// Why the figures of the search do not fall from row to row.
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
  return std::string(
             " Order: settings that ran in fresh pairs, those that the search would confirm "
             "next, then by this figure (within 1 %: fewest changes first)") +
         (has_broken ? ", last what breaks a constraint." : ".");
}

bool is_audited(const result::Result& result) {
  return result.method && result.method->audit && result.method->audit->complete;
}

void drop_if_empty(const char* name, Table& table) {
  const auto column = std::find_if(table.columns.begin(),
                                   table.columns.end(),
                                   [&](const auto& each) { return each.name == name; });
  const auto at = column - table.columns.begin();
  const bool is_empty = std::all_of(table.rows.begin(), table.rows.end(), [&](const auto& row) {
    return row[static_cast<std::size_t>(at)].empty();
  });
  if (is_empty) {
    table.columns.erase(column);
    for (std::vector<std::string>& row : table.rows) {
      row.erase(row.begin() + at);
    }
  }
}

}  // namespace

std::string ranking_note(const result::Result& result) {
  const std::string stage = is_audited(result) ? "audit" : "search";
  std::string note =
      "In " + stage + ": against the baseline of the same round, the median over the " + stage;
  const auto& cells = result.cells;
  const bool mixed = std::any_of(
      cells.begin(), cells.end(), [](const auto& cell) { return cell.window == "audit"; });
  note += mixed && !is_audited(result) ? " (over the audit where the search left a cell out)" : "";
  note += coverage_words(result);
  note += "." + order_words(result);
  const auto& fresh = result.confirmations;
  if (is_proven(result) || std::any_of(fresh.begin(), fresh.end(), [](const auto& row) {
        return is_confirmed(row.verdict);
      })) {
    note += std::string(" ") + kCheckMark + ": CONFIRMED by fresh pairs.";
  }
  return note + " The " + stage + " only ranks; the headline comes from fresh pairs.";
}

Table ranked_table(const Run& run, std::size_t most_rows) {
  using Align = Table::Align;
  const result::Result& result = run.result;
  Table table{.caption = "Settings of the search, ranked",
              .columns = {{"#", Align::right},
                          {"cell"},
                          {"setting"},
                          {"samples/s", Align::right},
                          {is_audited(result) ? "in audit" : "in search", Align::right},
                          {"interval", Align::right},
                          {"rounds", Align::right},
                          {kFreshPairs, Align::right},
                          {"peak memory", Align::right},
                          {"data wait", Align::right},
                          {"note"}},
              .heading = 1,
              .row_word = "setting"};
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
  drop_if_empty(kFreshPairs, table);
  return table;
}

}  // namespace tune::report
