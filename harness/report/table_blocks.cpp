#include "report/table_blocks.h"

#include "report/number_text.h"
#include "trace/table/cell_text.h"

#include <utility>

namespace tune::report {

namespace {

constexpr std::size_t kLongestName = 56;
constexpr std::size_t kLongestText = 44;
constexpr std::size_t kLongestTitle = 1000;

std::vector<std::string> remarks(const table::Table& table) {
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
  return lines;
}

}  // namespace

Blocks table_blocks(const table::Table& table, const std::string& caption) {
  if (!table.is_applicable()) {
    return {{Sentence{"Not known: " + one_line(table.reason) + "."}}};
  }
  Table content{.caption = caption};
  content.columns.reserve(table.columns.size());
  for (const table::Column& column : table.columns) {
    const bool is_text = column.quantity == table::Quantity::text;
    content.columns.push_back({column.title, is_text ? Table::Align::left : Table::Align::right});
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
  return {{std::move(content)}, {List{remarks(table)}}};
}

Blocks first_and_more(const table::Table& table,
                      const std::vector<std::string>& columns,
                      const RowCounts& counts,
                      const std::string& caption) {
  table::Table first = table::part_of(table, columns, counts.first);
  first.notes.clear();
  Blocks blocks = table_blocks(first, caption);
  if (table.is_applicable()) {
    table::Table more = table;
    table::keep_top(more, counts.more);
    blocks.push_back(
        {Folded{"All columns of the first " + std::to_string(more.rows.size()) + " rows",
                table_blocks(more, caption + ", all columns")}});
  }
  return blocks;
}

}  // namespace tune::report
