#pragma once

#include "trace/metric/metric.h"
#include "trace/metric/trace_input.h"

#include <string_view>
#include <vector>

namespace tune::metric {

/// Operators that fill a tensor, in PyTorch's own pattern of tensors that are then copied:
/// aten::fill_, zero_, normal_, uniform_.
bool is_pattern_fill(std::string_view name);

/// Operators that follow one another in the same row, after the patterns of PyTorch's profiler
/// (torch/profiler/_pattern_matcher.py):
///
///     extra_h2d_count      per step: tensors that are filled on the CPU (fill_, zero_, normal_,
///                          uniform_) and right after it copied to a device, in the same type
///     select_run_length    the longest run of aten::select with the same operators, at most 32,
///                          between one and the next: a loop over rows; not within a loader's row,
///                          and not with a layer between them, which is a loop over time or layers
///     select_run_ratio     time in runs of at least ten (PyTorch's ForLoopIndexingPattern), from
///                          the first select to the last, less blocked_times(), ÷ all steps
///     recurrent_cell_count, recurrent_cell_ratio   per step: calls of LSTMCell, GRUCell and
///                          RNNCell, each one step in time; their time ÷ all steps, without their
///                          backward pass
///
/// Not applicable without operators; extra_h2d_count also without device work.
std::vector<Metric> operator_sequences(const TraceInput& input);

}  // namespace tune::metric
