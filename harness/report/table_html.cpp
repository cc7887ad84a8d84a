#include "report/table_html.h"

#include "report/html_parts.h"
#include "report/html_table.h"
#include "report/number_text.h"
#include "table/cell_text.h"

#include <cstddef>
#include <vector>

namespace tune::report {

namespace {

using Align = RankedTable::Align;

constexpr std::size_t kLongestName = 56;
constexpr std::size_t kLongestText = 44;
constexpr std::size_t kLongestTitle = 1000;

Markup remarks(const table::Table& table) {
  std::vector<std::string> lines;
  lines.reserve(table.notes.size() + 1);
  if (table.left_out > 0) {
    lines.push_back(counted(static_cast<std::int64_t>(table.left_out), "more row") +
                    " in the trace");
  }
  constexpr std::size_t kMostNotes = 50;
  for (const std::string& note : table.notes) {
    if (lines.size() < kMostNotes) {
      lines.push_back(shortened(note, kLongestTitle));
    }
  }
  return bullets(lines);
}

}  // namespace

Markup table_html(const table::Table& table, const std::string& caption) {
  if (!table.is_applicable()) {
    return paragraph("Not known: " + one_line(table.reason) + ".");
  }
  HtmlTable content{.caption = caption};
  content.columns.reserve(table.columns.size());
  for (const table::Column& column : table.columns) {
    const bool is_text = column.quantity == table::Quantity::text;
    content.columns.push_back({column.title, is_text ? Align::left : Align::right});
  }
  content.rows.reserve(table.rows.size());
  content.wholes.reserve(table.rows.size());
  for (const table::Row& row : table.rows) {
    std::vector<std::string> texts, wholes;
    texts.reserve(row.size());
    wholes.reserve(row.size());
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string whole = one_line(cell_text(row[i], table.columns[i].quantity));
      texts.push_back(cut_in_the_middle(whole, i == 0 ? kLongestName : kLongestText));
      wholes.push_back(texts.back() == whole ? "" : shortened(whole, kLongestTitle));
    }
    content.rows.push_back(std::move(texts));
    content.wholes.push_back(std::move(wholes));
  }
  return html_table(content).append(remarks(table));
}

Markup table_html(const TextTable& table, const std::string& caption) {
  HtmlTable content{.caption = caption};
  content.columns.reserve(table.heading.size());
  for (std::size_t i = 0; i < table.heading.size(); ++i) {
    const bool is_text = i == 0 || (table.last_is_text && i + 1 == table.heading.size());
    content.columns.push_back({table.heading[i].empty() ? "remark" : table.heading[i],
                               is_text ? Align::left : Align::right});
  }
  content.rows = table.rows;
  return html_table(content);
}

}  // namespace tune::report
