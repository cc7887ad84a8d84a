#include "report/text_table.h"

#include "report/render_blocks.h"

namespace tune::report {

namespace {

Table table_of(const TextTable& text) {
  Table table;
  for (std::size_t i = 0; i < text.heading.size(); ++i) {
    const bool is_text = i == 0 || (text.last_is_text && i + 1 == text.heading.size());
    table.columns.push_back({text.heading[i], is_text ? Table::Align::left : Table::Align::right});
  }
  table.rows = text.rows;
  return table;
}

}  // namespace

std::string to_lines(const TextTable& table) {
  return to_lines(table_of(table));
}

std::string to_markdown(const TextTable& table) {
  return to_markdown(table_of(table));
}

}  // namespace tune::report
