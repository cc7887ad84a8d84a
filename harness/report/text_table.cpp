#include "report/text_table.h"

#include "report/markdown.h"

#include <algorithm>

namespace tune::report {

namespace {

// UTF-8 characters: bytes that do not continue one.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

bool is_number(const TextTable& table, std::size_t column) {
  return column > 0 && !(table.last_is_text && column + 1 == table.heading.size());
}

std::vector<std::size_t> widths_of(const TextTable& table) {
  std::vector<std::size_t> widths(table.heading.size());
  for (std::size_t i = 0; i < widths.size(); ++i) {
    widths[i] = width_of(table.heading[i]);
    for (const auto& row : table.rows) {
      widths[i] = std::max(widths[i], width_of(row[i]));
    }
  }
  return widths;
}

}  // namespace

std::string to_lines(const TextTable& table) {
  const auto widths = widths_of(table);
  std::string text;
  const auto add = [&](const std::vector<std::string>& cells) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string space(widths[i] - width_of(cells[i]), ' ');
      line += i > 0 ? "  " : "";
      line += is_number(table, i) ? space + cells[i] : cells[i] + space;
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  };
  add(table.heading);
  for (const auto& row : table.rows) {
    add(row);
  }
  return text;
}

std::string to_markdown(const TextTable& table) {
  std::string text = "|";
  std::string rule = "|";
  for (std::size_t i = 0; i < table.heading.size(); ++i) {
    text += " " + escape_markdown(table.heading[i]) + " |";
    rule += is_number(table, i) ? "---:|" : "---|";
  }
  text += "\n" + rule + "\n";
  for (const auto& row : table.rows) {
    text += "|";
    for (const std::string& cell : row) {
      text += " " + escape_markdown(cell) + " |";
    }
    text += "\n";
  }
  return text;
}

}  // namespace tune::report
