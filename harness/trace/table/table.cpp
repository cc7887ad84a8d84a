#include "trace/table/table.h"

#include "base/assert.h"
#include "base/error.h"
#include "base/text.h"

#include <algorithm>

namespace tune::table {

namespace {

bool is_known(const Cell& cell) {
  return !std::holds_alternative<std::monostate>(cell);
}

double number_of(const Cell& cell) {
  const auto* const whole = std::get_if<std::int64_t>(&cell);
  const auto* const real = std::get_if<double>(&cell);
  return whole != nullptr ? static_cast<double>(*whole) : real != nullptr ? *real : 0;
}

bool comes_first(const Cell& a, const Cell& b) {
  if (!is_known(a) || !is_known(b)) {
    return is_known(a) && !is_known(b);
  }
  const auto* const text = std::get_if<std::string>(&a);
  const auto* const other = std::get_if<std::string>(&b);
  return text != nullptr && other != nullptr ? *text < *other : number_of(a) > number_of(b);
}

// PyTorch's table() takes the device's name in place of "device".
std::string in_our_words(std::string column) {
  for (const std::string_view vendor : {"cuda", "xpu", "mtia", "hpu", "privateuse1"}) {
    const std::size_t at = column.find(vendor);
    if (at != std::string::npos) {
      column.replace(at, vendor.size(), "device");
    }
  }
  return column;
}

}  // namespace

std::size_t column_index(const Table& table, std::string_view id) {
  const auto found = std::find_if(table.columns.begin(),
                                  table.columns.end(),
                                  [id](const Column& column) { return column.id == id; });
  return static_cast<std::size_t>(found - table.columns.begin());
}

const Cell& cell(const Table& table, const Row& row, std::string_view column) {
  const std::size_t index = column_index(table, column);
  TUNE_ASSERT(index < row.size());
  return row[index];
}

void sort_rows(Table& table, const std::string& column) {
  const std::size_t index = column_index(table, in_our_words(column));
  if (index == table.columns.size()) {
    std::vector<std::string> ids;
    std::string list;
    ids.reserve(table.columns.size());
    for (const Column& known : table.columns) {
      ids.push_back(known.id);
      list += (list.empty() ? "" : ", ") + known.id;
    }
    throw Error(Error::Parts{"--sort " + column,
                             "is not a column of the table " + table.id,
                             "columns of this trace: " + list,
                             did_you_mean(column, ids)});
  }
  std::stable_sort(table.rows.begin(), table.rows.end(), [index](const Row& a, const Row& b) {
    return comes_first(a[index], b[index]);
  });
}

void keep_top(Table& table, std::size_t rows) {
  if (rows > 0 && table.rows.size() > rows) {
    table.left_out += table.rows.size() - rows;
    table.rows.resize(rows);
  }
}

Table part_of(const Table& table, const std::vector<std::string>& columns, std::size_t rows) {
  Table part{.id = table.id, .title = table.title, .notes = table.notes, .reason = table.reason};
  std::vector<std::size_t> kept;
  kept.reserve(columns.size());
  part.columns.reserve(columns.size());
  for (const std::string& id : columns) {
    const std::size_t index = column_index(table, id);
    if (index < table.columns.size()) {
      kept.push_back(index);
      part.columns.push_back(table.columns[index]);
    }
  }
  const std::size_t count = rows == 0 ? table.rows.size() : std::min(rows, table.rows.size());
  part.left_out = table.left_out + table.rows.size() - count;
  part.rows.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    Row row;
    row.reserve(kept.size());
    for (const std::size_t index : kept) {
      row.push_back(table.rows[i][index]);
    }
    part.rows.push_back(std::move(row));
  }
  return part;
}

}  // namespace tune::table
