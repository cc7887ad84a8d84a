#include "trace/table/table_input.h"

namespace tune::table {

std::uint32_t issuing_operator(const TableInput& input, std::uint32_t work) {
  return enclosing_operator(input.tree, input.issuing_row[work]);
}

}  // namespace tune::table
