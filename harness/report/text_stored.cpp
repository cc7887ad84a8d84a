// What a terminal shows of a result.json alone.

#include "report/format/stored_text.h"
#include "report/run_record_tables.h"
#include "report/run_record_text.h"
#include "report/stored_pages.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace tune::report {

namespace {

constexpr std::size_t kMostRows = 24, kMostRecommendations = 5, kMostLines = 20;

std::string lines_of(const char* begin, const std::vector<std::string>& lines) {
  std::string text;
  for (std::size_t i = 0; i < std::min(lines.size(), kMostLines); ++i) {
    text += begin + lines[i] + "\n";
  }
  return lines.size() <= kMostLines
             ? text
             : text + "... and " + std::to_string(lines.size() - kMostLines) + " more\n";
}

std::string table_of(const TextTable& table, std::size_t all) {
  if (table.rows.empty()) {
    return "";
  }
  const std::size_t left_out = all - std::min(all, table.rows.size());
  return to_lines(table) +
         (left_out == 0 ? "" : "... and " + std::to_string(left_out) + " more\n") + "\n";
}

std::string advice_of(const result::Result& record) {
  const auto& all = record.recommendations;
  std::string text;
  for (std::size_t i = 0; i < std::min(all.size(), kMostRecommendations); ++i) {
    text += short_text(both(all[i].id, "  ", all[i].title) + " [" + all[i].rule +
                       "]: " + sentence(all[i])) +
            "\n";
    text += lines_of("    ", change_lines(all[i].change));
  }
  return text.empty() ? "" : text + "\n";
}

}  // namespace

std::string to_text(const result::Result& record) {
  std::string text = table_of(settings_table(record, kMostRows), record.cells.size());
  text += table_of(pairs_table(record), 0);
  text += advice_of(record);
  for (const std::vector<std::string>& row : failures_table(record, kMostLines).rows) {
    text += "failed: " + both(row.front(), " ", row.back()) + "\n";
  }
  text += lines_of("warning: ", doubts_of(record));
  return text + what_is_missing(record) + "\n" + headline_of(record) + "\n";
}

}  // namespace tune::report
