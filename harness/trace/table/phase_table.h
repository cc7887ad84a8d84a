#pragma once

#include "trace/table/host_tree.h"
#include "trace/table/table.h"
#include "trace/table/table_input.h"
#include "trace/timeline.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace tune::table {

/// What part of a training step a row of the host belongs to.
enum class Phase : std::uint8_t {
  forward,
  backward,
  optimizer,
  zero_grad,
  data_loading,
  transfer,
  other  ///< in nothing that marks a phase
};
constexpr std::size_t kPhases = static_cast<std::size_t>(Phase::other) + 1;

/// By event, for rows of the host. A row marks a phase by its name, and rows within it belong to
/// the phase:
///
///     forward        forward, ...Parallel.forward
///     backward       backward; autograd::engine::evaluate_function: ..., and every operator with a
///                    forward thread, on whatever thread autograd ran it
///     optimizer      Optimizer.step#...
///     zero_grad      Optimizer.zero_grad#...
///     data_loading   enumerate(DataLoader)#..., enumerate(DataPipe)#...
///     transfer       transfer
///
/// An operator outside of all marks is forward when autograd ran the backward of its sequence
/// number, unless a backward pass or the start of a step lies between it and the last operator with
/// that number: it records no gradient then, and has the number of what comes next. So it is within
/// the optimizer, which may call a closure that computes the loss (LBFGS, PyTorch Lightning).
/// Outside of all marks it is transfer when it brings data to a device
/// (aten::to and what it is made of, around a copy from host to device).
///
/// `issuing_row`: by event (table::issuing_rows).
std::vector<Phase> find_phases(const profile::Timeline& timeline,
                               const HostTree& tree,
                               const std::vector<std::uint32_t>& issuing_row);

/// One row for each phase that the trace has, over all of it.
///
///     cpu_time    time of the phase's rows, less what belongs to a phase within; threads added up
///     gpu_time    time at which work that the phase issued ran on any device (a union)
///     host_wait   time in calls that block until a device is done: synchronisation, and copies
///                 that wait (trace/runtime_calls.h); part of cpu_time
///     marked_by   name: rows that name the phase; autograd: what autograd tells; copies: those to
///                 a device tell
///
/// Not applicable without any phase.
Table phase_table(const TableInput& input);

}  // namespace tune::table
