#include "trace/metric/copies.h"

#include "trace/metric/metric.h"
#include "trace/metric/trace_input.h"
#include "trace/table/input_lists.h"

#include <array>
#include <optional>

namespace tune::metric {

namespace {

using profile::Category;
using profile::Intervals;
using profile::kNone;
using profile::Role;

constexpr std::size_t kRate = 5, kHost = 4, kPageableHost = 7;
constexpr std::array<MetricName, 8> kToDevice = {{{"h2d_count", "count"},
                                                  {"h2d_bytes", "B"},
                                                  {"h2d_device_ratio", "ratio"},
                                                  {"h2d_exposed_ratio", "ratio"},
                                                  {"h2d_host_ratio", "ratio"},
                                                  {"h2d_rate", "B/s"},
                                                  {"h2d_pageable_bytes", "B"},
                                                  {"h2d_pageable_host_ratio", "ratio"}}};
constexpr std::array<MetricName, 8> kToHost = {{{"d2h_count", "count"},
                                                {"d2h_bytes", "B"},
                                                {"d2h_device_ratio", "ratio"},
                                                {"d2h_exposed_ratio", "ratio"},
                                                {"d2h_host_ratio", "ratio"},
                                                {"d2h_rate", "B/s"},
                                                {"d2h_pageable_bytes", "B"},
                                                {"d2h_pageable_host_ratio", "ratio"}}};
constexpr std::array<MetricName, 4> kWithin = {{{"d2d_count", "count"},
                                                {"d2d_bytes", "B"},
                                                {"d2d_ratio", "ratio"},
                                                {"d2d_exposed_ratio", "ratio"}}};

std::span<const MetricName> names_of(CopyWay way) {
  if (way == CopyWay::within_devices) {
    return kWithin;
  }
  return way == CopyWay::to_device ? kToDevice : kToHost;
}

bool has(std::string_view name, std::string_view part) {
  return name.find(part) != std::string_view::npos;
}

struct CopySums {
  std::int64_t rows = 0, rows_with_call = 0;
  double bytes = 0, pageable_bytes = 0;
  double timed_ns = 0;  ///< device time of rows that say how many bytes
  std::int64_t device_ns = 0, host_ns = 0, pageable_host_ns = 0;
  std::vector<profile::Interval> intervals, of_kernels;
};

void add_copy(CopySums& sums, const TraceInput& input, std::uint32_t i) {
  const profile::Event& event = input.timeline.events[i];
  const bool is_pageable = is_pageable_copy(input.timeline.name(event));
  ++sums.rows;
  sums.device_ns += input.clock.within(event);
  sums.intervals.push_back({event.start_ns, event.end_ns()});
  const profile::CopyDetail* const detail = input.timeline.copy(event);
  if (detail != nullptr && detail->bytes >= 0) {
    const auto bytes = static_cast<double>(detail->bytes);
    sums.bytes += bytes;
    sums.pageable_bytes += is_pageable ? bytes : 0;
    sums.timed_ns += static_cast<double>(event.duration_ns);
  }
  const std::uint32_t call = input.launches.call_of[i];
  if (call == kNone) {
    return;
  }
  ++sums.rows_with_call;
  if (input.launches.first_work_of[call] == i) {  // one call may issue many
    const std::int64_t host_ns = input.clock.within(input.timeline.events[call]);
    sums.host_ns += host_ns;
    sums.pageable_host_ns += is_pageable ? host_ns : 0;
  }
}

// Whether copies, or kernels that copy, go that way. A name is looked at once.
class GoesWay {
 public:
  GoesWay(const profile::Timeline& timeline, CopyWay way)
      : timeline_(timeline), way_(way), known_(timeline.strings.size()) {}

  bool operator()(const profile::Event& event) {
    const bool is_kernel = event.category == Category::kernel;
    if (event.category != Category::memcpy && (!is_kernel || way_ != CopyWay::within_devices)) {
      return false;
    }
    std::optional<bool>& goes = known_[event.name];
    if (!goes) {
      const std::string_view name = timeline_.name(event);
      goes = is_kernel ? has(name, "direct_copy_kernel") : copy_way(name) == way_;
    }
    return *goes;
  }

 private:
  const profile::Timeline& timeline_;
  CopyWay way_;
  std::vector<std::optional<bool>> known_;  // by StringId
};

bool copies_types(std::string_view name) {
  return name == "aten::copy_";
}

bool copies_as_it_is(std::string_view name) {
  return name == "aten::clone" || name == "aten::contiguous";
}

// Whether a kernel that copies converts: by the types of its operator, else by its name. autocast
// and .to(dtype) do not copy for nothing. What called it does not tell: .to(memory_format) copies
// as well.
class Converts {
 public:
  explicit Converts(const TraceInput& input) : input_(input) {}

  bool operator()(std::uint32_t kernel) {
    const profile::Timeline& timeline = input_.timeline;
    if (telling_.empty()) {  // only where a kernel copies
      telling_ = telling_rows();
    }
    const std::uint32_t issuing = input_.issuing_row[kernel];
    const std::uint32_t row = issuing == kNone ? kNone : telling_[issuing];
    if (row == kNone) {
      return has(timeline.name(timeline.events[kernel]), "WithCast");
    }
    if (!copies_types(timeline.name(timeline.events[row]))) {
      return false;
    }
    const std::string_view types =
        timeline.strings.text(timeline.op(timeline.events[row])->input_types);
    return table::list_element(types, 0) != table::list_element(types, 1);
  }

 private:
  std::vector<std::uint32_t> telling_rows() const {
    NamesThat copies(input_.timeline, copies_types), keeps(input_.timeline, copies_as_it_is);
    return table::innermost_that(input_.tree, [&](std::uint32_t row) {
      const profile::Event& event = input_.timeline.events[row];
      const profile::OpDetail* const op = input_.timeline.op(event);
      return keeps(event) || (copies(event) && op != nullptr && op->input_types != 0);
    });
  }

  const TraceInput& input_;
  std::vector<std::uint32_t> telling_;  // by event: the row around it that tells
};

CopySums sum_copies(const TraceInput& input, CopyWay way) {
  const profile::Timeline& timeline = input.timeline;
  GoesWay goes(timeline, way);
  Converts converts(input);
  CopySums sums;
  for (const std::uint32_t i : input.device_work) {
    const profile::Event& event = timeline.events[i];
    if (!goes(event) || !input.begins_in_step(i)) {
      continue;
    }
    if (event.category == Category::memcpy) {
      add_copy(sums, input, i);
    } else if (!converts(i)) {
      sums.device_ns += input.clock.within(event);
      sums.of_kernels.push_back({event.start_ns, event.end_ns()});
    }
  }
  return sums;
}

std::int64_t exposed_ns(const TraceInput& input, const CopySums& sums) {
  const auto covered = [&input](Role role) -> const Intervals& {
    return input.partition.covered[static_cast<std::size_t>(role)];
  };
  const Intervals alone =
      profile::subtract(profile::subtract(profile::unite(sums.intervals), covered(Role::kernel)),
                        covered(Role::communication));
  const Intervals all = profile::unite(alone, profile::unite(sums.of_kernels));
  return length_ns(profile::intersect(all, input.partition.steps.covered()));
}

}  // namespace

std::optional<CopyWay> copy_way(std::string_view name) {
  return has(name, "HtoD") || has(name, "HtoA")   ? std::optional(CopyWay::to_device)
         : has(name, "DtoH") || has(name, "AtoH") ? std::optional(CopyWay::to_host)
         : has(name, "DtoD") || has(name, "PtoP") ? std::optional(CopyWay::within_devices)
                                                  : std::nullopt;
}

bool is_pageable_copy(std::string_view name) {
  return has(name, "Pageable");
}

std::vector<std::uint32_t> device_to_device_rows(const TraceInput& input) {
  GoesWay goes(input.timeline, CopyWay::within_devices);
  Converts converts(input);
  std::vector<std::uint32_t> found;
  for (const std::uint32_t i : input.device_work) {
    const profile::Event& event = input.timeline.events[i];
    if (goes(event) && (event.category == Category::memcpy || !converts(i))) {
      found.push_back(i);
    }
  }
  return found;
}

std::vector<Metric> copy_metrics(const TraceInput& input, CopyWay way) {
  const std::span<const MetricName> names = names_of(way);
  if (const std::string why = why_no_device_work(input); !why.empty()) {
    return not_applicable(names, why);
  }
  const CopySums sums = sum_copies(input, way);
  const auto steps_ns = static_cast<double>(input.partition.total_ns());
  const double rate = sums.timed_ns > 0 ? sums.bytes / (sums.timed_ns * 1e-9) : 0;
  std::vector<double> values = {per_step(static_cast<double>(sums.rows), input),
                                per_step(sums.bytes, input),
                                static_cast<double>(sums.device_ns) / steps_ns,
                                static_cast<double>(exposed_ns(input, sums)) / steps_ns,
                                static_cast<double>(sums.host_ns) / steps_ns,
                                rate,
                                per_step(sums.pageable_bytes, input),
                                static_cast<double>(sums.pageable_host_ns) / steps_ns};
  values.resize(names.size());
  std::vector<Metric> metrics = over_steps(names, values, input);
  for (Metric& metric : metrics) {
    if (sums.rows == 0) {
      metric.warnings.insert(metric.warnings.begin(), kNoRows);
    }
  }
  if (way == CopyWay::within_devices) {
    return metrics;
  }
  if (sums.timed_ns <= 0) {
    metrics[kRate] = not_applicable(names[kRate], "no such copy says how many bytes it moved");
  }
  if (sums.rows > 0 && sums.rows_with_call == 0) {
    for (const std::size_t host : {kHost, kPageableHost}) {
      metrics[host] =
          not_applicable(names[host], "no call that issued such a copy is in the trace");
    }
  }
  return metrics;
}

}  // namespace tune::metric
