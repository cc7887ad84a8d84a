#include "table/trace_side.h"

#include "table/device_word.h"
#include "table/kernel_table.h"
#include "table/operator_table.h"

namespace tune::table {

TraceSide take_side(const TableInput& input) {
  const profile::Partition& partition = input.partition;
  TraceSide side;
  side.file = input.timeline.file;
  side.steps = static_cast<std::int64_t>(partition.steps.steps.size());
  side.total_ns = partition.total_ns();
  side.are_marked = partition.steps.are_marked;
  side.has_device_rows = partition.has_device_rows;
  side.device_word = device_word(input.timeline);
  side.exposed_ns = partition.total.exposed_ns;
  side.operators = operator_table(input);
  side.kernels = kernel_table(input);
  return side;
}

}  // namespace tune::table
