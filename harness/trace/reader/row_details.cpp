// The side tables: what only rows of some category have.

#include "trace/reader/timeline_builder.h"

#include <algorithm>
#include <limits>

namespace tune::profile {

namespace {

template <class Row>
std::uint32_t appended(std::vector<Row>& table, const Row& row) {
  table.push_back(row);
  return static_cast<std::uint32_t>(table.size() - 1);
}

std::int32_t narrow(std::int64_t value) {
  const auto fits = value >= 0 && value <= std::numeric_limits<std::int32_t>::max();
  return fits ? static_cast<std::int32_t>(value) : -1;
}

bool has_any(const Row& row, std::initializer_list<Argument> which) {
  return std::any_of(
      which.begin(), which.end(), [&row](Argument argument) { return row.has(argument); });
}

}  // namespace

std::uint32_t TimelineBuilder::detail_of(const Row& row, Category category) {
  switch (category) {
    case Category::kernel:
      return kernel_detail(row);
    case Category::memcpy:
    case Category::memset:
      return row.has(Argument::bytes)
                 ? appended(
                       timeline_.copies,
                       CopyDetail{numbers_.integer(row.argument(Argument::bytes), kUnknownNumber)})
                 : kNone;
    case Category::synchronization:
      return appended(
          timeline_.syncs,
          SyncDetail{
              numbers_.integer(row.argument(Argument::wait_on_stream), kUnknownId),
              numbers_.integer(row.argument(Argument::wait_on_record_correlation), kUnknownId),
              numbers_.integer(row.argument(Argument::wait_on_event), kUnknownId)});
    case Category::cpu_op:
    case Category::user_annotation:
      return op_detail(row);
    case Category::python_function:
      return appended(
          timeline_.frames,
          PythonDetail{numbers_.integer(row.argument(Argument::python_id), kUnknownId),
                       numbers_.integer(row.argument(Argument::python_parent), kUnknownId),
                       numbers_.integer(row.argument(Argument::python_module), kUnknownId)});
    default:
      return kNone;
  }
}

std::uint32_t TimelineBuilder::kernel_detail(const Row& row) {
  constexpr double kPercent = 100;
  KernelDetail kernel;
  kernel.grid = numbers_.triple(row.argument(Argument::grid));
  kernel.block = numbers_.triple(row.argument(Argument::block));
  kernel.blocks_per_sm = static_cast<float>(numbers_.ratio(row.argument(Argument::blocks_per_sm)));
  kernel.warps_per_sm = static_cast<float>(numbers_.ratio(row.argument(Argument::warps_per_sm)));
  kernel.occupancy_ratio =
      static_cast<float>(numbers_.ratio(row.argument(Argument::occupancy)) / kPercent);
  kernel.registers_per_thread =
      narrow(numbers_.integer(row.argument(Argument::registers), kUnknownId));
  kernel.shared_memory_bytes =
      narrow(numbers_.integer(row.argument(Argument::shared_memory), kUnknownId));
  const std::int64_t node = numbers_.integer(row.argument(Argument::graph_node), kUnknownId);
  kernel.graph_node = node >= 0 && node < kNone ? static_cast<std::uint32_t>(node) : kNone;
  kernel.collective = collective_detail(row);
  return appended(timeline_.kernels, kernel);
}

std::uint32_t TimelineBuilder::op_detail(const Row& row) {
  if (!options_.with_call_stacks && row.has(Argument::call_stack)) {
    timeline_.notes.add(NoteKind::call_stack, row.offset);
  }
  OpDetail op;
  op.collective = collective_detail(row);
  const bool is_needed = has_any(row,
                                 {Argument::input_dims,
                                  Argument::input_types,
                                  Argument::sequence_number,
                                  Argument::module_hierarchy}) ||
                         op.collective != kNone ||
                         (options_.with_call_stacks && row.has(Argument::call_stack));
  if (!is_needed) {
    return kNone;
  }
  op.input_dims = json(row.argument(Argument::input_dims));
  op.input_types = json(row.argument(Argument::input_types));
  op.input_strides = json(row.argument(Argument::input_strides));
  op.concrete_inputs = json(row.argument(Argument::concrete_inputs));
  op.module_hierarchy = text(row.argument(Argument::module_hierarchy));
  op.call_stack = options_.with_call_stacks ? text(row.argument(Argument::call_stack)) : 0;
  op.sequence_number = numbers_.integer(row.argument(Argument::sequence_number), kUnknownId);
  op.forward_thread = numbers_.integer(row.argument(Argument::forward_thread), kUnknownId);
  return appended(timeline_.ops, op);
}

std::uint32_t TimelineBuilder::collective_detail(const Row& row) {
  if (!has_any(row, {Argument::collective_name, Argument::group_name, Argument::group_size})) {
    return kNone;
  }
  const auto number = [&](Argument which) {
    return numbers_.integer(row.argument(which), kUnknownNumber);
  };
  CollectiveDetail collective;
  collective.name = text(row.argument(Argument::collective_name));
  collective.dtype = text(row.argument(Argument::dtype));
  collective.group_name = text(row.argument(Argument::group_name));
  collective.group_description = text(row.argument(Argument::group_description));
  collective.group_ranks = text(row.argument(Argument::group_ranks));
  collective.elements_in = number(Argument::elements_in);
  collective.elements_out = number(Argument::elements_out);
  collective.group_size = number(Argument::group_size);
  collective.source_rank = number(Argument::source_rank);
  collective.target_rank = number(Argument::target_rank);
  collective.sequence = number(Argument::sequence);
  return appended(timeline_.collectives, collective);
}

}  // namespace tune::profile
