#include "report/ranked_table.h"

#include "base/units.h"
#include "report/cell_times.h"
#include "report/headline.h"
#include "report/markup.h"
#include "report/number_text.h"

#include <algorithm>

namespace tune::report {

namespace {

using campaign::CampaignResult;
using campaign::CellResult;

constexpr std::size_t kLongestOutcome = 100;

std::string remark_on(const CellResult& cell) {
  std::string remark = cell.disturbed ? "disturbed" : "";
  const auto add = [&](const std::string& word) { remark += (remark.empty() ? "" : ", ") + word; };
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

RankedTable::Row row_of(const CampaignResult& result, const CellResult& cell, int rank) {
  RankedTable::Row row{.cell = one_line(cell.cell.id)};
  const bool is_baseline = cell.cell.id == "baseline";
  row.kind = !cell.throughput || cell.outcome != "completed" ? RankedTable::Kind::failed
             : is_baseline                                   ? RankedTable::Kind::baseline
                                                             : RankedTable::Kind::measured;
  const Conclusion conclusion = conclude(result);
  row.is_best = conclusion.best == &cell;
  const auto wait = estimate_of(cell_times(result, cell.cell.id).data_wait_ratios);
  row.texts = {
      rank > 0 ? std::to_string(rank) : "",
      row.cell,
      is_baseline ? "(as it is today)" : setting_text(cell.cell),
      cell.throughput ? number_text(cell.throughput->value) : "",
      cell.gain ? gain_text(cell.gain->value) : "",
      cell.gain ? gain_interval_text(*cell.gain) : "",
      std::to_string(cell.rounds),
      cell.peak_memory_bytes ? format_bytes(*cell.peak_memory_bytes) : "",
      wait ? share_text(wait->value) : "",
      cell.outcome == "completed" ? remark_on(cell) : shortened(cell.outcome, kLongestOutcome),
  };
  return row;
}

// The intervals of one search all have the same number of rounds, unless trials failed.
std::string how_to_read(const CampaignResult& result) {
  const bool audited = result.audit && result.audit->is_whole;
  std::string note = "Gains are against the baseline of the same round, medians over the ";
  note += audited ? "audit" : "search";
  const bool mixed = std::any_of(result.cells.begin(), result.cells.end(), [](const auto& cell) {
    return cell.stage == "audit";
  });
  note += mixed && !audited ? " (over the audit where the search left a cell out)" : "";
  for (const CellResult& cell : result.cells) {
    if (cell.gain && cell.gain->lower) {
      note += "; the interval of " + counted(cell.gain->n, "round") + " covers " +
              confidence_text(cell.gain->confidence);
      break;
    }
  }
  note += audited ? ". It" : ". The search";
  return note + " only ranks; the headline comes from fresh pairs.";
}

}  // namespace

RankedTable ranked_table(const CampaignResult& result) {
  using Align = RankedTable::Align;
  RankedTable table{
      .columns = {{"#", Align::right},
                  {"cell"},
                  {"setting"},
                  {"samples/s", Align::right},
                  {"gain", Align::right},
                  {"interval", Align::right},
                  {"rounds", Align::right},
                  {"peak memory", Align::right},
                  {"data wait", Align::right},
                  {"note"}},
      .note = how_to_read(result),
  };
  int rank = 0;
  for (const CellResult& cell : result.cells) {
    const bool is_ranked = cell.gain.has_value();
    table.rows.push_back(row_of(result, cell, is_ranked ? ++rank : 0));
  }
  return table;
}

}  // namespace tune::report
