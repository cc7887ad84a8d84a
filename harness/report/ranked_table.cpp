#include "report/ranked_table.h"

#include "base/units.h"
#include "report/cell_times.h"
#include "report/confirmation_text.h"
#include "report/headline.h"
#include "report/markup.h"
#include "report/number_text.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>

namespace tune::report {

namespace {

using campaign::CampaignResult;
using campaign::CellResult;
using campaign::Confirmation;

constexpr std::size_t kLongestOutcome = 100;
constexpr const char* kFreshPairs = "fresh pairs";
constexpr const char* kCheckMark = "\xE2\x9C\x93";

const Confirmation* fresh_pairs_of(const CampaignResult& result, const CellResult& cell) {
  const auto found = std::find_if(
      result.confirmations.begin(), result.confirmations.end(), [&](const Confirmation& each) {
        return each.cell == cell.cell.id;
      });
  return found == result.confirmations.end() || found->pairs == 0 ? nullptr : &*found;
}

bool is_confirmed(const Confirmation& fresh) {
  return fresh.verdict == "confirmed";
}

// The verdict stands beside the gain that earned it, which is not that of the search: "✓ +43.5 %".
std::string fresh_pairs_text(const Confirmation* fresh) {
  if (fresh == nullptr) {
    return "";
  }
  const std::string word = is_confirmed(*fresh)     ? kCheckMark
                           : fresh->verdict.empty() ? "not decided"
                                                    : verdict_word(*fresh);
  return word + " " + gain_text(fresh->gain.value);
}

std::string remark_on(const CellResult& cell) {
  std::string remark;
  const auto add = [&](const std::string& word) { remark += (remark.empty() ? "" : ", ") + word; };
  if (cell.disturbed) {
    add("disturbed");
  }
  if (cell.stalls) {
    add("stalls");
  }
  if (cell.cold_trials > 0) {
    add("cold cache");
  }
  if (cell.steadiness.is_mostly_not_steady()) {
    add(cell.steadiness.label());
  }
  return remark;
}

std::string outcome_text(const CellResult& cell) {
  return cell.outcome == "not-run" ? "not measured" : shortened(cell.outcome, kLongestOutcome);
}

// Shorter than in a sentence: the column is the widest of a terminal.
std::string interval_cell(const campaign::Estimate& gain) {
  return gain.lower && gain.upper && is_finite(gain) ? gain_interval_text(gain)
                                                     : "none (" + counted(gain.n, "round") + ")";
}

RankedTable::Row row_of(const CampaignResult& result,
                        const Conclusion& conclusion,
                        const CellResult& cell,
                        int rank) {
  RankedTable::Row row{.cell = one_line(cell.cell.id)};
  const bool is_baseline = cell.cell.id == "baseline";
  row.kind = !cell.throughput || cell.outcome != "completed" ? RankedTable::Kind::failed
             : is_baseline                                   ? RankedTable::Kind::baseline
                                                             : RankedTable::Kind::measured;
  row.is_best = conclusion.best == &cell;
  const auto wait = cell.throughput ? estimate_of(cell_times(result, cell.cell.id).data_wait_ratios)
                                    : std::nullopt;
  row.texts = {
      rank > 0 ? std::to_string(rank) : "",
      row.cell,
      is_baseline ? "(as it is today)" : setting_text(cell.cell),
      cell.throughput ? number_text(cell.throughput->value) : "",
      cell.gain ? gain_text(cell.gain->value) : "",
      cell.gain ? interval_cell(*cell.gain) : "",
      std::to_string(cell.rounds),
      fresh_pairs_text(fresh_pairs_of(result, cell)),
      cell.peak_memory_bytes ? format_bytes(*cell.peak_memory_bytes) : "",
      wait ? share_text(wait->value) : "",
      cell.outcome == "completed" ? remark_on(cell) : outcome_text(cell),
  };
  return row;
}

// "; an interval of 2 rounds covers 50.0 %, of 3 rounds 75.0 %": cells differ in their rounds.
std::string coverage_words(const CampaignResult& result) {
  std::map<std::int64_t, double> by_rounds;
  for (const CellResult& cell : result.cells) {
    if (cell.gain && cell.gain->lower && cell.gain->upper) {
      by_rounds.emplace(cell.gain->n, cell.gain->confidence);
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
std::string order_words(const CampaignResult& result) {
  const auto& cells = result.cells;
  const auto ranked = std::count_if(
      cells.begin(), cells.end(), [](const CellResult& cell) { return cell.gain.has_value(); });
  if (ranked < 2) {
    return "";
  }
  const bool has_broken = std::any_of(cells.begin(), cells.end(), [](const CellResult& cell) {
    return !cell.broken_constraints.empty();
  });
  return std::string(
             " Order: settings that ran in fresh pairs, those that the search would confirm "
             "next, then by this figure (within 1 %: fewest changes first)") +
         (has_broken ? ", last what breaks a constraint." : ".");
}

bool is_audited(const CampaignResult& result) {
  return result.audit && result.audit->is_whole;
}

std::string how_to_read(const CampaignResult& result) {
  const std::string stage = is_audited(result) ? "audit" : "search";
  std::string note =
      "In " + stage + ": against the baseline of the same round, the median over the " + stage;
  const bool mixed = std::any_of(result.cells.begin(), result.cells.end(), [](const auto& cell) {
    return cell.stage == "audit";
  });
  note += mixed && !is_audited(result) ? " (over the audit where the search left a cell out)" : "";
  note += coverage_words(result);
  note += "." + order_words(result);
  const auto& fresh = result.confirmations;
  if (std::any_of(fresh.begin(), fresh.end(), is_confirmed)) {
    note += std::string(" ") + kCheckMark + ": CONFIRMED by fresh pairs.";
  }
  return note + " The " + stage + " only ranks; the headline comes from fresh pairs.";
}

void drop_if_empty(const char* name, RankedTable& table) {
  const auto column = std::find_if(table.columns.begin(),
                                   table.columns.end(),
                                   [&](const auto& each) { return each.name == name; });
  const auto at = column - table.columns.begin();
  const bool is_empty =
      std::all_of(table.rows.begin(), table.rows.end(), [&](const RankedTable::Row& row) {
        return row.texts[static_cast<std::size_t>(at)].empty();
      });
  if (is_empty) {
    table.columns.erase(column);
    for (RankedTable::Row& row : table.rows) {
      row.texts.erase(row.texts.begin() + at);
    }
  }
}

}  // namespace

RankedTable ranked_table(const CampaignResult& result, std::size_t most_rows) {
  using Align = RankedTable::Align;
  RankedTable table{
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
      .note = how_to_read(result),
  };
  const Conclusion conclusion = conclude(result);
  const std::size_t shown = std::min(result.cells.size(), most_rows);
  table.left_out = result.cells.size() - shown;
  table.rows.reserve(shown);
  int rank = 0;
  for (std::size_t i = 0; i < shown; ++i) {
    const CellResult& cell = result.cells[i];
    const bool is_ranked = cell.gain.has_value();
    table.rows.push_back(row_of(result, conclusion, cell, is_ranked ? ++rank : 0));
  }
  drop_if_empty(kFreshPairs, table);
  return table;
}

}  // namespace tune::report
