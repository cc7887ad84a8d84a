#pragma once

#include "trace/table/host_tree.h"
#include "trace/timeline.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tune::table {

/// What makes rows of the host one row of the operator table, besides their name.
struct GroupBy {
  enum class Kind : std::uint8_t { name, shape, stack, module };
  Kind kind = Kind::name;
  std::size_t frames = 0;  ///< of the stack, innermost first; at least 1
};

/// One row of the table to be.
struct OperatorGroup {
  profile::StringId name = 0;  ///< of its first row
  bool is_annotation = false;  ///< an annotation and an operator of one name are two rows
  std::string detail;          ///< shapes, frames (one a line) or modules; "" when not known
};

struct OperatorGroups {
  std::vector<OperatorGroup> groups;
  std::vector<std::uint32_t> group_of;  ///< by event; kNone for what is not a row of the host
  /// Why `kind` can tell nothing here: "no input shapes were recorded (record_shapes=True)"; then
  /// there are no groups.
  std::string reason;
};

/// Groups the rows as PyTorch's key_averages(group_by_input_shapes, group_by_stack_n) does; all
/// ProfilerStep#N are one.
///
/// Stacks are those that the profiler wrote with operators, or the Python frames around them on
/// their thread; modules what torch.jit wrote ("Module Hierarchy"), or the frames `nn.Module: ...`,
/// outermost first. Backward operators have the frames of the forward operator with their sequence
/// number, as in PyTorch.
OperatorGroups group_operators(const profile::Timeline& timeline,
                               const HostTree& tree,
                               const GroupBy& by);

}  // namespace tune::table
