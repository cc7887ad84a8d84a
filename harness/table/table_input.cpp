#include "table/table_input.h"

#include <utility>

namespace tune::table {

TableInput nest(const profile::Timeline& timeline,
                const profile::Partition& partition,
                const profile::Launches& launches,
                const profile::RuntimeSplit& runtime) {
  HostTree tree = nest_host_rows(timeline);
  std::vector<std::uint32_t> issuing = issuing_rows(timeline, tree, launches);
  return {timeline, partition, launches, runtime, std::move(tree), std::move(issuing)};
}

std::uint32_t issuing_operator(const TableInput& input, std::uint32_t work) {
  return enclosing_operator(input.timeline, input.tree, input.issuing_row[work]);
}

}  // namespace tune::table
