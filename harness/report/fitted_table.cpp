#include "report/fitted_table.h"

#include "base/columns.h"
#include "base/text.h"
#include "report/cell_times.h"
#include "report/ranked_table.h"

#include <algorithm>
#include <utility>

namespace tune::report {

namespace {

using Row = std::vector<std::string>;

constexpr std::size_t kGap = 2;
constexpr std::size_t kNarrowestSetting = 24;
constexpr std::size_t kNarrowestNote = 15;  // "no-steady-state"
constexpr std::size_t kMostUnmeasured = 3;

// Breaks at spaces, and within a word only where the word is wider than the column.
std::string broken(const std::string& text, std::size_t width) {
  std::string result;
  std::size_t used = 0;
  for (std::string word : split(text, ' ')) {
    if (used > 0 && used + 1 + columns(word) > width) {
      result += '\n';
      used = 0;
    } else if (used > 0) {
      result += ' ';
      ++used;
    }
    for (; columns(word) > width; used = 0) {
      const std::string head = first_columns(word, width);
      result += head + '\n';
      word.erase(0, head.size());
    }
    result += word;
    used += columns(word);
  }
  return result;
}

}  // namespace

FittedTable::FittedTable(Table table, std::size_t width, std::size_t most_rows)
    : table_(std::move(table)) {
  drop_unmeasured();
  drop_rows(most_rows);
  drop_column("cell");
  if (!has_texts("note") || (total_width() > width && !has_failures())) {
    drop_column("note");
  }
  std::vector<std::string> expendable = {"peak memory"};
  expendable.reserve(1 + cell_numbers().size());
  for (const CellNumber& number : cell_numbers()) {
    expendable.emplace_back(number.column);
  }
  for (; total_width() > width && !expendable.empty(); expendable.pop_back()) {
    drop_column(expendable.back());
  }
  wrap("note", width, kNarrowestNote);
  wrap("setting", width, kNarrowestSetting);
  for (const char* last : {"interval", "note", "measured in"}) {
    if (total_width() > width) {
      drop_column(last);
    }
  }
}

std::string FittedTable::print(const Painter& painter) const {
  const auto painted = [&](Paint paint, const std::string& line) {
    return (painter ? painter(paint, line) : line) + "\n";
  };
  const auto widths = column_widths();
  std::vector<std::string> names;
  for (const auto& column : table_.columns) {
    names.push_back(column.name);
  }
  std::string text = painted(Paint::strong, lines(names, widths));
  for (std::size_t i = 0; i < table_.rows.size(); ++i) {
    const std::string printed = lines(table_.rows[i], widths);
    const std::string& kind = table_.row_classes[i];
    text += kind == "best"     ? painted(Paint::good, printed)
            : kind == "failed" ? painted(Paint::quiet, printed)
                               : printed + "\n";
  }
  text += left_out_ > 0
              ? "  ... and " + std::to_string(left_out_) + " more, see the report (-v lists them)\n"
              : "";
  return text + (unmeasured_ > 0
                     ? "  ... and " + std::to_string(unmeasured_) + " that were not measured\n"
                     : "");
}

// A budget that is used up leaves most settings of a grid unmeasured: one line says how many.
void FittedTable::drop_unmeasured() {
  const std::size_t note = index_of("note"), setting = index_of("setting");
  if (std::max(note, setting) >= table_.columns.size()) {
    return;
  }
  const auto goes = [&](const Row& row) {
    return row[note] == kNotMeasured && row[setting] != kBaselineSetting;
  };
  const auto count =
      static_cast<std::size_t>(std::count_if(table_.rows.begin(), table_.rows.end(), goes));
  if (count <= kMostUnmeasured) {
    return;
  }
  unmeasured_ = count;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < table_.rows.size(); ++i) {
    if (!goes(table_.rows[i])) {
      std::swap(table_.rows[kept], table_.rows[i]);
      std::swap(table_.row_classes[kept], table_.row_classes[i]);
      ++kept;
    }
  }
  table_.rows.resize(kept);
  table_.row_classes.resize(kept);
}

void FittedTable::drop_rows(std::size_t most) {
  if (table_.rows.size() > most + 1) {  // a line that counts one row saves nothing
    left_out_ = table_.rows.size() - most;
    table_.rows.resize(most);
    table_.row_classes.resize(most);
  }
}

std::size_t FittedTable::index_of(const std::string& name) const {
  const auto found = std::find_if(table_.columns.begin(),
                                  table_.columns.end(),
                                  [&](const auto& column) { return column.name == name; });
  return static_cast<std::size_t>(found - table_.columns.begin());
}

void FittedTable::drop_column(const std::string& name) {
  const std::size_t index = index_of(name);
  if (index == table_.columns.size()) {
    return;
  }
  const auto offset = static_cast<std::ptrdiff_t>(index);
  table_.columns.erase(table_.columns.begin() + offset);
  for (Row& row : table_.rows) {
    row.erase(row.begin() + offset);
  }
}

bool FittedTable::has_texts(const std::string& name) const {
  const std::size_t index = index_of(name);
  const auto& rows = table_.rows;
  return std::any_of(
      rows.begin(), rows.end(), [&](const auto& row) { return !row[index].empty(); });
}

bool FittedTable::has_failures() const {
  const auto& all = table_.row_classes;
  return std::find(all.begin(), all.end(), "failed") != all.end();
}

void FittedTable::wrap(const std::string& name, std::size_t width, std::size_t narrowest) {
  const std::size_t index = index_of(name);
  const std::size_t total = total_width();
  if (index == table_.columns.size() || total <= width) {
    return;
  }
  const std::size_t now = column_widths()[index];
  const std::size_t excess = total - width;
  const std::size_t room = std::max(now > excess ? now - excess : 0, narrowest);
  for (Row& row : table_.rows) {
    row[index] = broken(row[index], room);
  }
}

std::vector<std::size_t> FittedTable::column_widths() const {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < table_.columns.size(); ++i) {
    std::size_t width = columns(table_.columns[i].name);
    for (const Row& row : table_.rows) {
      for (const std::string& line : split(row[i], '\n')) {
        width = std::max(width, columns(line));
      }
    }
    widths.push_back(width);
  }
  return widths;
}

std::size_t FittedTable::total_width() const {
  std::size_t total = 0;
  for (const std::size_t width : column_widths()) {
    total += width + kGap;
  }
  return total - kGap;
}

std::string FittedTable::lines(const std::vector<std::string>& texts,
                               const std::vector<std::size_t>& widths) const {
  std::vector<std::vector<std::string>> parts;
  std::size_t height = 0;
  for (const std::string& text : texts) {
    parts.push_back(split(text, '\n'));
    height = std::max(height, parts.back().size());
  }
  std::string all;
  for (std::size_t number = 0; number < height; ++number) {
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const std::string part = number < parts[i].size() ? parts[i][number] : "";
      const std::string padding(widths[i] - std::min(widths[i], columns(part)), ' ');
      const bool right = table_.columns[i].align == Table::Align::right;
      text += (i > 0 ? std::string(kGap, ' ') : "") + (right ? padding : "") + part +
              (right ? "" : padding);
    }
    all += (number > 0 ? "\n" : "") + text.substr(0, text.find_last_not_of(' ') + 1);
  }
  return all;
}

}  // namespace tune::report
