
#include "advice/rule/trace_facts.h"
#include "trace/kernel_names.h"
#include "trace/metric/copies.h"
#include "trace/metric/device_use.h"
#include "trace/metric/host_syncs.h"
#include "trace/metric/idle_time.h"
#include "trace/metric/layout_ratios.h"
#include "trace/metric/matrix_products.h"
#include "trace/metric/metric.h"
#include "trace/metric/other_phase.h"
#include "trace/metric/partition_ratios.h"
#include "trace/metric/product_precision.h"
#include "trace/metric/zero_fills.h"
#include "trace/role.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tune::rule {

namespace {

using expression::Value;
using metric::TraceInput;
using profile::CallKind;
using profile::Category;
using profile::Event;
using profile::kNone;
using table::Phase;
using Rows = std::vector<std::uint32_t>;
using Examples = std::vector<Example>;

constexpr std::size_t kMostExamples = 3;
constexpr std::string_view kTrace = "trace";

// The operator or range around a row of the host, or "".
std::string_view name_around(const TraceInput& input, std::uint32_t row) {
  const std::uint32_t around = table::enclosing_operator(input.tree, row);
  return around == kNone ? std::string_view() : input.timeline.name(input.timeline.events[around]);
}

std::string after(std::string_view around, std::string_view name) {
  return around.empty() || around == name ? std::string(name)
                                          : std::string(around) + ": " + std::string(name);
}

// "aten::mm: ampere_sgemm_128x64_tn", "aten::item: cudaStreamSynchronize".
std::string name_of(const TraceInput& input, std::uint32_t row) {
  const Event& event = input.timeline.events[row];
  const std::string_view name = input.timeline.name(event);
  if (profile::is_device_work(event.category)) {
    const std::uint32_t issuing = input.issuing_row[row];
    return after(issuing == kNone ? std::string_view() : name_around(input, issuing), name);
  }
  const bool is_call = profile::is_device_call(event.category);
  return is_call ? after(name_around(input, input.tree.row[row]), name) : std::string(name);
}

// The longest of rows that begin within steps; of equal names one is enough.
Examples longest(const TraceInput& input, Rows rows) {
  std::erase_if(rows, [&input](std::uint32_t row) { return !input.begins_in_step(row); });
  std::stable_sort(rows.begin(), rows.end(), [&input](std::uint32_t a, std::uint32_t b) {
    return input.timeline.events[a].duration_ns > input.timeline.events[b].duration_ns;
  });
  rows.resize(std::min(rows.size(), kMostExamples));
  Examples examples;
  examples.reserve(rows.size());
  for (const std::uint32_t row : rows) {
    const Event& event = input.timeline.events[row];
    examples.push_back({name_of(input, row), event.start_ns, event.duration_ns});
  }
  return examples;
}

template <class Predicate>
Rows device_rows_that(const TraceInput& input, Predicate fits) {
  Rows rows;
  std::copy_if(input.device_work.begin(), input.device_work.end(), std::back_inserter(rows), fits);
  return rows;
}

template <class Predicate>
Rows calls_that(const TraceInput& input, Predicate fits) {
  Rows rows;
  std::copy_if(input.calls.begin(), input.calls.end(), std::back_inserter(rows), fits);
  return rows;
}

template <class Predicate>
Rows host_rows_that(const TraceInput& input, Predicate fits) {
  Rows rows;
  for (std::uint32_t i = 0; i < input.timeline.events.size(); ++i) {
    if (input.tree.is_row(i) && fits(i)) {
      rows.push_back(i);
    }
  }
  return rows;
}

const Event& event_at(const TraceInput& input, std::uint32_t row) {
  return input.timeline.events[row];
}

Examples loading(const TraceInput& input) {
  const profile::RoleOfEvent role_of(input.timeline);
  return longest(input, host_rows_that(input, [&](std::uint32_t row) {
                   return role_of(event_at(input, row)) == profile::Role::data_loading;
                 }));
}

Examples communication(const TraceInput& input) {
  const profile::RoleOfEvent role_of(input.timeline);
  return longest(input, device_rows_that(input, [&](std::uint32_t row) {
                   return role_of(event_at(input, row)) == profile::Role::communication;
                 }));
}

Examples copies(const TraceInput& input, metric::CopyWay way, bool only_pageable) {
  return longest(input, device_rows_that(input, [&](std::uint32_t row) {
                   const std::string_view name = input.timeline.name(event_at(input, row));
                   return event_at(input, row).category == Category::memcpy &&
                          metric::copy_way(name) == way &&
                          (!only_pageable || metric::is_pageable_copy(name));
                 }));
}

Examples copies_to_device(const TraceInput& input) {
  return copies(input, metric::CopyWay::to_device, false);
}

Examples pageable_copies(const TraceInput& input) {
  return copies(input, metric::CopyWay::to_device, true);
}

Examples copies_to_host(const TraceInput& input) {
  return copies(input, metric::CopyWay::to_host, false);
}

Examples copies_within_devices(const TraceInput& input) {
  return longest(input, metric::device_to_device_rows(input));
}

Examples gaps(const TraceInput& input) {
  Examples examples;
  for (const metric::LongGap& gap : metric::long_gaps(input)) {
    if (examples.size() == kMostExamples) {
      break;
    }
    examples.push_back({gap.host_row.empty() ? "no row of the host" : gap.host_row,
                        gap.interval.begin_ns,
                        gap.interval.length_ns()});
  }
  return examples;
}

// What came after the busiest stream was idle, with how long it was.
Examples waits_for_host(const TraceInput& input) {
  const std::uint32_t stream = metric::busiest_stream(input);
  std::vector<std::pair<std::int64_t, std::uint32_t>> gaps;  // -length, what came then
  std::int64_t end_ns = 0;
  bool is_first = true;
  for (const std::uint32_t i : input.device_work) {
    const Event& work = event_at(input, i);
    if (work.track != stream) {
      continue;
    }
    const std::uint32_t call = input.launches.call_of[i];
    if (!is_first && call != kNone && event_at(input, call).start_ns > end_ns &&
        input.clock.runs_at(work.start_ns)) {
      gaps.emplace_back(end_ns - work.start_ns, i);
    }
    end_ns = is_first ? work.end_ns() : std::max(end_ns, work.end_ns());
    is_first = false;
  }
  std::sort(gaps.begin(), gaps.end());
  gaps.resize(std::min(gaps.size(), kMostExamples));
  Examples examples;
  examples.reserve(gaps.size());
  for (const auto& [negative_ns, work] : gaps) {
    examples.push_back({"before " + name_of(input, work),
                        event_at(input, work).start_ns + negative_ns,
                        -negative_ns});
  }
  return examples;
}

bool uses_tensor_cores(std::string_view name) {
  return profile::tensor_core_use(name) == profile::TensorCoreUse::yes;
}

// Products that are not in 16 bits.
Examples full_precision(const TraceInput& input) {
  metric::NamesThat eligible(input.timeline, metric::is_eligible),
      fast(input.timeline, uses_tensor_cores);
  metric::ProductPrecision precision_of(input.timeline);
  const auto operator_of = [&input](std::uint32_t kernel) {
    return table::enclosing_operator(input.tree, input.issuing_row[kernel]);
  };
  if (!input.partition.has_device_rows) {
    return longest(input, host_rows_that(input, [&](std::uint32_t row) {
                     const Event& event = event_at(input, row);
                     return event.category == Category::cpu_op && eligible(event) &&
                            2 * input.tree.self_ns[row] > event.duration_ns &&
                            precision_of.of_operator(event) == profile::Precision::full;
                   }));
  }
  return longest(input, device_rows_that(input, [&](std::uint32_t row) {
                   const Event& kernel = event_at(input, row);
                   if (kernel.category != Category::kernel) {
                     return false;
                   }
                   const std::uint32_t around = operator_of(row);
                   const bool counts =
                       fast(kernel) || (around != kNone && eligible(event_at(input, around)));
                   return counts && !profile::is_half(precision_of.of_kernel(kernel, around));
                 }));
}

Examples fp32_products(const TraceInput& input) {
  return longest(input, metric::fp32_kernels(input));
}

std::uint32_t longest_misaligned(const TraceInput& input) {
  const Rows rows = metric::misaligned_kernels(input);
  const auto most = std::max_element(rows.begin(), rows.end(), [&](auto a, auto b) {
    return event_at(input, a).duration_ns < event_at(input, b).duration_ns;
  });
  return most == rows.end() ? kNone : *most;
}

Examples misaligned_products(const TraceInput& input) {
  return longest(input, metric::misaligned_kernels(input));
}

Examples layout_kernels(const TraceInput& input) {
  metric::NamesThat converts(input.timeline, metric::is_layout_kernel);
  return longest(input, device_rows_that(input, [&](std::uint32_t row) {
                   return event_at(input, row).category == Category::kernel &&
                          converts(event_at(input, row));
                 }));
}

Examples synchronisations(const TraceInput& input) {
  return longest(input, metric::waiting_calls(input));
}

Examples blocking_copies(const TraceInput& input) {
  return longest(input, calls_that(input, [&](std::uint32_t row) {
                   return metric::copies_and_waits(input.timeline.name(event_at(input, row)));
                 }));
}

Examples kernels_that(const TraceInput& input,
                      const std::function<bool(const profile::KernelDetail&)>& fits) {
  return longest(input, device_rows_that(input, [&](std::uint32_t row) {
                   const Event& event = event_at(input, row);
                   const profile::KernelDetail* const kernel = input.timeline.kernel(event);
                   return kernel != nullptr && fits(*kernel);
                 }));
}

Examples low_occupancy(const TraceInput& input) {
  constexpr float kLow = 0.25F;
  return kernels_that(input, [](const auto& kernel) { return kernel.occupancy_ratio < kLow; });
}

Examples small_grids(const TraceInput& input) {
  return kernels_that(input, [](const auto& kernel) { return kernel.blocks_per_sm < 1; });
}

Examples calls_of_kind(const TraceInput& input, CallKind kind) {
  return longest(input,
                 calls_that(input, [&](std::uint32_t row) { return input.kind_of(row) == kind; }));
}

Examples allocations(const TraceInput& input) {
  return calls_of_kind(input, CallKind::allocation);
}

Examples launches(const TraceInput& input) {
  return calls_of_kind(input, CallKind::launch);
}

// The outermost rows of a phase.
Examples rows_of(const TraceInput& input, Phase phase) {
  return longest(input, host_rows_that(input, [&](std::uint32_t row) {
                   const std::uint32_t parent = input.tree.parent[row];
                   return input.phases[row] == phase &&
                          (parent == kNone || input.phases[parent] != phase);
                 }));
}

Examples optimizer_steps(const TraceInput& input) {
  return rows_of(input, Phase::optimizer);
}

Examples zero_grads(const TraceInput& input) {
  return rows_of(input, Phase::zero_grad);
}

Examples other_work(const TraceInput& input) {
  Examples examples;
  for (metric::OtherPart& part : metric::other_parts(input, kMostExamples)) {
    examples.push_back({std::move(part.name), part.interval.begin_ns, part.interval.length_ns()});
  }
  return examples;
}

struct Shown {
  Examples (*rows)(const TraceInput&);
  std::vector<std::string_view> names;
};

const std::vector<Shown>& all_shown() {
  static const std::vector<Shown> all = {
      {loading, {"data_wait_ratio", "partition_data_loading_ratio"}},
      {communication, {"communication_exposed_ratio"}},
      {copies_to_device, {"h2d_exposed_ratio", "h2d_device_ratio"}},
      {pageable_copies, {"h2d_pageable_host_ratio", "h2d_pageable_bytes"}},
      {copies_to_host, {"small_d2h_blocked_ratio"}},
      {copies_within_devices, {"d2d_ratio", "d2d_exposed_ratio"}},
      {gaps, {"gap_time_max", "long_gap_ratio", "long_gap_time"}},
      {waits_for_host, {"idle_host_wait_ratio", "host_wait_ratio"}},
      {full_precision, {"eligible_ratio", "gemm_conv_ratio"}},
      {fp32_products, {"fp32_gemm_ratio"}},
      {misaligned_products, {"misaligned_gemm_ratio"}},
      {layout_kernels, {"layout_kernel_ratio"}},
      {synchronisations, {"sync_call_ratio", "idle_after_sync_ratio"}},
      {blocking_copies, {"sync_memcpy_count", "sync_memcpy_time"}},
      {low_occupancy, {"occupancy"}},
      {small_grids, {"sm_efficiency", "small_grid_ratio"}},
      {allocations, {"device_allocation_count", "allocation_exposed_ratio"}},
      {launches, {"launch_exposed_ratio", "launch_time_mean", "slow_launch_ratio"}},
      {optimizer_steps, {"optimizer_exposed_ratio", "optimizer_ratio"}},
      {zero_grads, {"zero_fill_ratio"}},
      {other_work, {"other_phase_ratio"}}};
  return all;
}

bool is_worth_showing(const Fact* fact) {
  const auto* const value = fact == nullptr ? nullptr : std::get_if<Value>(&fact->result);
  const auto* const number =
      value == nullptr ? nullptr : std::get_if<expression::Number>(&value->data);
  return number != nullptr && number->value != 0;
}

}  // namespace

void add_examples(const TraceInput& input, FactTable& facts) {
  for (const Shown& shown : all_shown()) {
    Examples examples;
    bool is_looked_up = false;
    for (const std::string_view name : shown.names) {
      const Fact* const fact = facts.find(name);
      if (!is_worth_showing(fact)) {
        continue;
      }
      examples = is_looked_up ? std::move(examples) : shown.rows(input);
      is_looked_up = true;
      if (!examples.empty()) {
        Fact with_rows = *fact;
        with_rows.examples = examples;
        facts.set(std::string(name), std::move(with_rows));
      }
    }
  }
  if (const Examples longest_gaps = gaps(input); !longest_gaps.empty()) {
    facts.set("gap_host_cover",
              {.result = Value::of(longest_gaps.front().name),
               .source = std::string(kTrace),
               .window = "profile"});
  }
  if (const metric::CoveringRange range = metric::covering_range(input); !range.name.empty()) {
    facts.set(
        "covering_range",
        {.result = Value::of(range.name), .source = std::string(kTrace), .window = "profile"});
  }
  const std::uint32_t misaligned = longest_misaligned(input);
  const std::string shapes =
      misaligned == kNone ? std::string() : metric::product_shapes(input, misaligned);
  if (!shapes.empty()) {
    facts.set("input_dims",
              {.result = Value::of(shapes),
               .source = "trace: shapes of " + name_of(input, misaligned),
               .window = "profile"});
  }
}

}  // namespace tune::rule
