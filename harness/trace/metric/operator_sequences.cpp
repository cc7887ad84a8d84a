#include "trace/metric/operator_sequences.h"

#include "trace/metric/copies.h"
#include "trace/metric/host_syncs.h"
#include "trace/metric/layers.h"
#include "trace/metric/metric.h"
#include "trace/metric/trace_input.h"
#include "trace/role.h"
#include "trace/table/input_lists.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

namespace tune::metric {

namespace {

using profile::Event;
using profile::kNone;
using table::list_element;

constexpr std::array<MetricName, 5> kNames = {{{"extra_h2d_count", "count"},
                                               {"select_run_length", "count"},
                                               {"select_run_ratio", "ratio"},
                                               {"recurrent_cell_count", "count"},
                                               {"recurrent_cell_ratio", "ratio"}}};
constexpr std::size_t kLeastRun = 10;  // PyTorch's ForLoopIndexingPattern

bool is_move(std::string_view name) {
  return name == "aten::to" || name == "aten::_to_copy" || name == "aten::copy_" ||
         name == "aten::cuda";
}

// By event: rows that fill a tensor, or in which one is filled, without any call of a device.
std::vector<bool> fills_on_the_cpu(const TraceInput& input) {
  NamesThat fills(input.timeline, is_pattern_fill);
  const std::size_t count = input.timeline.events.size();
  std::vector<bool> has_fill(count), has_call(count);
  for (std::size_t i = count; i-- > 0;) {  // children before their parents
    const Event& event = input.timeline.events[i];
    if (!input.tree.is_row(static_cast<std::uint32_t>(i))) {
      continue;
    }
    const bool is_operator = event.category == profile::Category::cpu_op;
    has_fill[i] = has_fill[i] || (is_operator && fills(event));
    has_call[i] = has_call[i] || profile::is_device_call(event.category);
    const std::uint32_t parent = input.tree.parent[i];
    if (parent != kNone) {
      has_fill[parent] = has_fill[parent] || (is_operator && has_fill[i]);
      has_call[parent] = has_call[parent] || has_call[i];
    }
    has_fill[i] = has_fill[i] && is_operator && !has_call[i];
  }
  return has_fill;
}

bool is_copy(std::string_view name) {
  return name == "aten::copy_";
}

// A copy with two types converts.
bool has_two_types(const TraceInput& input, std::uint32_t row) {
  const profile::OpDetail* const op = input.timeline.op(input.timeline.events[row]);
  if (op == nullptr) {
    return false;
  }
  const std::string_view types = input.timeline.strings.text(op->input_types);
  return list_element(types, 0) != list_element(types, 1);
}

Metric extra_h2d(const TraceInput& input) {
  if (const std::string why = why_no_device_work(input); !why.empty()) {
    return not_applicable(kNames[0], why);
  }
  const std::vector<bool> is_filled = fills_on_the_cpu(input);
  const auto& events = input.timeline.events;
  NamesThat moves(input.timeline, is_move), copies(input.timeline, is_copy);
  const auto moving =
      table::outermost_that(input.tree, [&](std::uint32_t row) { return moves(events[row]); });
  const auto converting = table::outermost_that(input.tree, [&](std::uint32_t row) {
    return copies(events[row]) && has_two_types(input, row);
  });
  double count = 0;
  for (const std::uint32_t i : input.device_work) {
    const std::uint32_t issuing = input.issuing_row[i];
    if (events[i].category != profile::Category::memcpy || issuing == kNone ||
        copy_way(input.timeline.name(events[i])) != CopyWay::to_device) {
      continue;
    }
    const std::uint32_t top = moving[issuing];
    const std::uint32_t before = top == kNone ? kNone : input.previous[top];
    const bool is_extra = before != kNone && is_filled[before] && converting[issuing] == kNone;
    count += is_extra && input.begins_in_step(top) ? 1 : 0;
  }
  return over_steps(kNames[0], per_step(count, input), input);
}

// Between two selects: the loop computes, it does not only index.
bool is_product_or_layer(std::string_view name) {
  return is_layer(name) || name == "aten::matmul" || name == "aten::mm" || name == "aten::addmm" ||
         name == "aten::bmm" || name == "aten::einsum" || name.ends_with("_cell");
}

// One step in time of nn.LSTMCell, nn.GRUCell and nn.RNNCell.
bool is_recurrent_cell(std::string_view name) {
  return name == "aten::lstm_cell" || name == "aten::gru_cell" || name == "aten::rnn_tanh_cell" ||
         name == "aten::rnn_relu_cell";
}

// The selects under one row, or at the top of a thread.
struct SelectRun {
  std::size_t selects = 0;
  // The operators after each second select, in order: `x[i, j] = v` has none after the first.
  std::array<std::uint64_t, 2> bodies{};
  std::uint64_t current = 0;  // those since the last select
  int operators = 0;
  std::int64_t begin_ns = 0, last_ns = 0;  // of its first select and of the last one
};

struct SelectRuns {
  std::size_t longest = 0;
  std::vector<profile::Interval> times;  // of those that are a loop
};

SelectRuns select_runs(const TraceInput& input) {
  constexpr int kMostBetween = 32;
  constexpr std::uint64_t kPrime = 0x100000001b3;  // FNV-1a
  const profile::Timeline& timeline = input.timeline;
  std::unordered_map<std::uint64_t, SelectRun> runs;  // by parent or track; only with a select
  SelectRuns found;
  NamesThat computes(timeline, is_product_or_layer);
  // A loader takes its samples one by one: loader_operator_count, not a loop over rows.
  const profile::RoleOfEvent role_of(timeline);
  const std::vector<std::uint32_t> loader_of =
      table::outermost_that(input.tree, [&](std::uint32_t row) {
        return role_of(timeline.events[row]) == profile::Role::data_loading;
      });
  for (std::uint32_t i = 0; i < input.previous.size(); ++i) {
    const Event& event = timeline.events[i];
    if (event.category != profile::Category::cpu_op || !input.tree.is_row(i) ||
        !input.begins_in_step(i) || loader_of[i] != kNone) {
      continue;
    }
    const bool is_select = timeline.name(event) == "aten::select";
    const std::uint32_t parent = input.tree.parent[i];
    const std::uint64_t key = parent != kNone ? parent : (std::uint64_t{event.track} + 1) << 32;
    const auto known = runs.find(key);
    if (!is_select) {
      if (known != runs.end()) {
        SelectRun& run = known->second;
        run.current = (run.current ^ (event.name + 1)) * kPrime;
        run = ++run.operators > kMostBetween || computes(event) ? SelectRun{} : run;
      }
      continue;
    }
    SelectRun& run = known != runs.end() ? known->second : runs[key];
    // Two selects make no pattern yet.
    const bool is_next =
        run.selects > 0 && (run.selects <= 2 || run.current == run.bodies[(run.selects + 1) % 2]);
    run.begin_ns = is_next ? run.begin_ns : run.selects > 0 ? run.last_ns : event.start_ns;
    run.selects = is_next ? run.selects + 1 : run.selects > 0 ? 2 : 1;
    run.bodies[run.selects % 2] = run.current;
    run.current = 0;
    run.operators = 0;
    found.longest = std::max(found.longest, run.selects);
    if (run.selects >= kLeastRun) {
      found.times.push_back(
          {run.selects == kLeastRun ? run.begin_ns : run.last_ns, event.end_ns()});
    }
    run.last_ns = event.start_ns;
  }
  return found;
}

std::vector<Metric> select_metrics(const TraceInput& input) {
  SelectRuns runs = select_runs(input);
  const profile::Intervals own =
      profile::subtract(profile::unite(std::move(runs.times)), blocked_times(input));
  const profile::Intervals within = profile::intersect(own, input.partition.steps.covered());
  return {over_steps(kNames[1], static_cast<double>(runs.longest), input),
          share_of_steps(std::string(kNames[2].id), length_ns(within), input)};
}

std::vector<Metric> recurrent_cells(const TraceInput& input) {
  NamesThat is_cell(input.timeline, is_recurrent_cell);
  double count = 0;
  std::vector<profile::Interval> rows;
  for (std::uint32_t i = 0; i < input.timeline.events.size(); ++i) {
    const Event& event = input.timeline.events[i];
    if (event.category == profile::Category::cpu_op && input.begins_in_step(i) && is_cell(event)) {
      ++count;
      rows.push_back({event.start_ns, event.end_ns()});
    }
  }
  if (rows.empty()) {
    constexpr const char* kWhy = "no recurrent cell is called step by step";
    return {not_applicable(kNames[3], kWhy), not_applicable(kNames[4], kWhy)};
  }
  const profile::Intervals within =
      profile::intersect(profile::unite(std::move(rows)), input.partition.steps.covered());
  return {over_steps(kNames[3], per_step(count, input), input),
          share_of_steps(std::string(kNames[4].id), length_ns(within), input)};
}

}  // namespace

bool is_pattern_fill(std::string_view name) {
  return name == "aten::fill_" || name == "aten::zero_" || name == "aten::normal_" ||
         name == "aten::uniform_";
}

std::vector<Metric> operator_sequences(const TraceInput& input) {
  if (const std::string why = why_no_operators(input); !why.empty()) {
    return not_applicable(kNames, why);
  }
  std::vector<Metric> metrics = select_metrics(input);
  metrics.insert(metrics.begin(), extra_h2d(input));
  std::vector<Metric> cells = recurrent_cells(input);
  metrics.insert(metrics.end(), cells.begin(), cells.end());
  return metrics;
}

}  // namespace tune::metric
