#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tune::table {

/// What the cells of a column are, and with it how they are written.
enum class Quantity : std::uint8_t {
  text,
  count,
  time_ns,         ///< int64 ns; seconds in JSON
  time_change_ns,  ///< the same, less another: with its sign
  bytes,           ///< may be negative: freed
  ratio,           ///< 0-1; several threads may make it larger
  bytes_per_second,
  number
};

/// Empty where nothing is known or nothing applies: never a zero instead.
using Cell = std::variant<std::monostate, std::string, std::int64_t, double>;

struct Column {
  std::string id;     ///< "self_cpu_time_total": for --sort and result.json
  std::string title;  ///< "Self CPU"
  Quantity quantity = Quantity::text;
  int expendable = 0;  ///< in a narrow terminal the highest goes first; 0 never goes
};

using Row = std::vector<Cell>;  ///< one cell a column

/// A table of what a trace holds, ready to be sorted, cut and written in any format.
struct Table {
  std::string id;     ///< "operators"
  std::string title;  ///< "Operators"
  std::vector<Column> columns;
  std::vector<Row> rows;
  std::vector<std::string> notes;  ///< totals, how to read it, which columns are missing and why
  std::string reason;              ///< why there is no table at all; "" when there is one
  std::size_t left_out = 0;        ///< rows that `top` cut off

  bool is_applicable() const { return reason.empty(); }
};

/// Index of the column, or columns.size().
std::size_t column_index(const Table& table, std::string_view id);

/// The cell of a row; needs the column.
const Cell& cell(const Table& table, const Row& row, std::string_view column);

/// Sorts by a column: texts upwards, everything else downwards, what is not known last, ties as
/// they were. Throws tune::Error naming the columns when there is none of that name. PyTorch's
/// `cuda_time_total` means device_time_total.
void sort_rows(Table& table, const std::string& column);

/// Keeps the first rows; 0 keeps all.
void keep_top(Table& table, std::size_t rows);

/// The first rows (0: all) with these columns, in this order; those that the table has not are left
/// out.
Table part_of(const Table& table, const std::vector<std::string>& columns, std::size_t rows);

}  // namespace tune::table
