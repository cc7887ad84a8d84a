#include "report/table_text.h"

#include "report/markdown.h"
#include "report/markup.h"
#include "report/number_text.h"
#include "report/render_blocks.h"
#include "trace/table/cell_text.h"

#include <algorithm>

namespace tune::report {

namespace {

constexpr std::size_t kLongestName = 55;    // as PyTorch's tables
constexpr std::size_t kLongestDetail = 80;  // shapes, stacks, modules

// Frames of a stack stand one a line; in a table they follow each other, each with the end of its
// path, where paths differ.
std::string frames_in_one_line(const std::string& stack) {
  constexpr std::size_t kLongestFrame = 48;
  std::string text;
  for (std::size_t begin = 0; begin < stack.size();) {
    const std::size_t end = std::min(stack.find('\n', begin), stack.size());
    const std::string frame = one_line(stack.substr(begin, end - begin));
    const std::size_t slash = frame.find('/', frame.size() - std::min(frame.size(), kLongestFrame));
    const bool is_cut = frame.size() > kLongestFrame && slash != std::string::npos;
    text += text.empty() ? "" : " <- ";
    text += is_cut ? "..." + frame.substr(slash) : frame;
    begin = end + 1;
  }
  return text;
}

Table texts_of(const table::Table& table) {
  Table text;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const bool is_last_text =
        i + 1 == table.columns.size() && table.columns[i].quantity == table::Quantity::text;
    text.columns.push_back({table.columns[i].title,
                            i == 0 || is_last_text ? Table::Align::left : Table::Align::right});
  }
  text.rows.reserve(table.rows.size());
  for (const table::Row& row : table.rows) {
    std::vector<std::string> cells;
    cells.reserve(row.size());
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string cell = cell_text(row[i], table.columns[i].quantity);
      cells.push_back(table.columns[i].id == "stack"
                          ? frames_in_one_line(cell)
                          : cut_in_the_middle(cell, i == 0 ? kLongestName : kLongestDetail));
    }
    text.rows.push_back(std::move(cells));
  }
  return text;
}

std::size_t width_of(const Table& text) {
  const std::string lines = to_lines(text);
  std::size_t widest = 0;
  for (std::size_t begin = 0; begin < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', begin), lines.size());
    widest = std::max(widest, end - begin);
    begin = end + 1;
  }
  return widest;
}

// Index of the column that goes next, or columns.size().
std::size_t most_expendable(const std::vector<table::Column>& columns) {
  const auto found = std::max_element(
      columns.begin(), columns.end(), [](const table::Column& a, const table::Column& b) {
        return a.expendable < b.expendable;
      });
  return found == columns.end() || found->expendable == 0
             ? columns.size()
             : static_cast<std::size_t>(found - columns.begin());
}

void drop_column(table::Table& table, std::size_t index) {
  const auto offset = static_cast<std::ptrdiff_t>(index);
  table.columns.erase(table.columns.begin() + offset);
  for (table::Row& row : table.rows) {
    row.erase(row.begin() + offset);
  }
}

}  // namespace

PrintedTable printed_table(const table::Table& table, std::size_t width) {
  PrintedTable printed{.table = texts_of(table), .remarks = {}};
  table::Table narrower = table;
  std::string dropped;
  while (width != kAnyWidth && width_of(printed.table) > width) {
    const std::size_t index = most_expendable(narrower.columns);
    if (index == narrower.columns.size()) {
      break;
    }
    dropped += (dropped.empty() ? "" : ", ") + narrower.columns[index].title;
    drop_column(narrower, index);
    printed.table = texts_of(narrower);
  }
  if (table.left_out > 0) {
    printed.remarks.push_back(counted(static_cast<std::int64_t>(table.left_out), "more row"));
  }
  if (!dropped.empty()) {
    printed.remarks.push_back("not shown in this width: " + dropped);
  }
  printed.remarks.insert(printed.remarks.end(), table.notes.begin(), table.notes.end());
  return printed;
}

std::string to_lines(const table::Table& table, std::size_t width) {
  if (!table.is_applicable()) {
    return table.title + ": not known, " + one_line(table.reason) + "\n";
  }
  const PrintedTable printed = printed_table(table, width);
  std::string text = to_lines(printed.table);
  for (const std::string& remark : printed.remarks) {
    text += one_line(remark) + "\n";
  }
  return text;
}

std::string to_markdown(const table::Table& table) {
  if (!table.is_applicable()) {
    return "Not known: " + escape_markdown(table.reason) + ".\n";
  }
  const PrintedTable printed = printed_table(table);
  std::string text = to_markdown(printed.table) + "\n";
  for (const std::string& remark : printed.remarks) {
    text += "- " + escape_markdown(remark) + "\n";
  }
  return text;
}

}  // namespace tune::report
