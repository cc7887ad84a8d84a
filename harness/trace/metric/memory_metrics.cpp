#include "trace/metric/memory_metrics.h"

#include "trace/metric/trace_input.h"
#include "trace/table/memory_tables.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <utility>

namespace tune::metric {

namespace {

using profile::kUnknownNumber;
using table::MemoryLevels;

enum Index : std::size_t {  // in kNames
  allocated,
  reserved,
  ratio,
  reserved_share,
  cache_share,
  allocations,
  allocated_bytes,
  growth,
  growth_share
};
constexpr std::array<MetricName, 9> kNames = {{{"peak_allocated_bytes", "B"},
                                               {"peak_reserved_bytes", "B"},
                                               {"peak_memory_ratio", "ratio"},
                                               {"reserved_ratio", "ratio"},
                                               {"reserved_allocated_ratio", "ratio"},
                                               {"allocation_count", "count"},
                                               {"allocated_bytes", "B"},
                                               {"peak_growth_bytes", "B"},
                                               {"peak_growth_ratio", "ratio"}}};
constexpr MetricName kLargest = {"largest_step_allocation_bytes", "B"};
constexpr const char* kNoRowsReason = "memory was not recorded (profile_memory=True)";
constexpr const char* kNoTotals = "[memory] rows do not say how much was allocated in all";
constexpr const char* kNoReserved = "[memory] rows do not say how much was reserved";
constexpr const char* kNoSize = "deviceProperties does not say how much memory the device has";

double peak_allocated(const MemoryLevels& levels) {
  std::int64_t peak = 0;
  for (const MemoryLevels::Point& point : levels.points) {
    peak = std::max(peak, point.allocated_bytes);
  }
  return static_cast<double>(peak);
}

// 0 when the rows do not say.
double peak_reserved(const MemoryLevels& levels) {
  std::int64_t peak = 0;
  for (const MemoryLevels::Point& point : levels.points) {
    peak = std::max(peak, point.reserved_bytes);
  }
  return static_cast<double>(peak);
}

// The fullest device; the CPU only when it is the only one.
const MemoryLevels* fullest(const std::vector<MemoryLevels>& all) {
  const auto rank = [](const MemoryLevels& levels) {
    return std::pair(levels.device.first != 0, peak_allocated(levels));
  };
  const auto most =
      std::max_element(all.begin(), all.end(), [&](const MemoryLevels& a, const MemoryLevels& b) {
        return rank(a) < rank(b);
      });
  return most == all.end() ? nullptr : &*most;
}

// The memory that the device has, bytes; 0 when it is not known.
double memory_of(const profile::Timeline& timeline, const table::MemoryDevice& device) {
  const auto found =
      std::find_if(timeline.devices.begin(), timeline.devices.end(), [&](const auto& properties) {
        return device.first != 0 && properties.id == device.second;
      });
  return found == timeline.devices.end() ? 0 : static_cast<double>(found->memory_bytes);
}

// By step: the highest level at its begin or within it.
std::vector<double> step_peaks(const TraceInput& input, const MemoryLevels& levels) {
  std::vector<double> peaks;
  peaks.reserve(input.partition.steps.steps.size());
  std::size_t next = 0;
  double level = 0;
  const auto advance = [&](std::int64_t until_ns, double peak) {
    for (; next < levels.points.size() &&
           input.timeline.memory[levels.points[next].row].time_ns < until_ns;
         ++next) {
      level = static_cast<double>(levels.points[next].allocated_bytes);
      peak = std::max(peak, level);
    }
    return peak;
  };
  for (const profile::Step& step : input.partition.steps.steps) {
    advance(step.interval.begin_ns, 0);
    peaks.push_back(advance(step.interval.end_ns, level));
  }
  return peaks;
}

struct Churn {
  double count = 0, bytes = 0;
};

Churn churn_of(const TraceInput& input, const MemoryLevels& levels) {
  Churn churn;
  for (const MemoryLevels::Point& point : levels.points) {
    const profile::MemoryEvent& row = input.timeline.memory[point.row];
    if (row.bytes > 0 && input.clock.runs_at(row.time_ns)) {
      ++churn.count;
      churn.bytes += static_cast<double>(row.bytes);
    }
  }
  return churn;
}

void fill_peaks(const TraceInput& input, const MemoryLevels& levels, std::vector<Metric>& metrics) {
  const auto put = [&](Index index, double value) {
    metrics[index] = over_steps(kNames[index], value, input);
  };
  const auto lacks = [&](std::initializer_list<Index> indices, const char* reason) {
    for (const Index index : indices) {
      metrics[index] = not_applicable(kNames[index], reason);
    }
  };
  const double peak_bytes = peak_allocated(levels);
  const double reserved_bytes = peak_reserved(levels);
  const double memory_bytes = memory_of(input.timeline, levels.device);
  if (!levels.are_absolute) {
    lacks({allocated, reserved, ratio, reserved_share, cache_share}, kNoTotals);
    return;
  }
  put(allocated, peak_bytes);
  if (reserved_bytes > 0) {
    put(reserved, reserved_bytes);
  } else {
    lacks({reserved, reserved_share, cache_share}, kNoReserved);
  }
  if (reserved_bytes > 0 && peak_bytes > 0) {
    put(cache_share, reserved_bytes / peak_bytes);
  } else if (reserved_bytes > 0) {
    lacks({cache_share}, "nothing was allocated");
  }
  if (memory_bytes <= 0) {
    lacks({ratio, reserved_share}, kNoSize);
    return;
  }
  put(ratio, std::max(reserved_bytes, peak_bytes) / memory_bytes);
  if (reserved_bytes > 0) {
    put(reserved_share, reserved_bytes / memory_bytes);
  }
}

void fill_growth(const TraceInput& input,
                 const MemoryLevels& levels,
                 std::vector<Metric>& metrics) {
  if (const std::string why = why_not_several_steps(input); !why.empty()) {
    metrics[growth] = not_applicable(kNames[growth], why);
    metrics[growth_share] = not_applicable(kNames[growth_share], why);
    return;
  }
  const std::vector<double> peaks = step_peaks(input, levels);
  const double bytes = peaks.back() - peaks.front();
  const double memory_bytes = memory_of(input.timeline, levels.device);
  metrics[growth] = over_steps(kNames[growth], bytes, input);
  metrics[growth_share] = memory_bytes > 0
                              ? over_steps(kNames[growth_share], bytes / memory_bytes, input)
                              : not_applicable(kNames[growth_share], kNoSize);
}

}  // namespace

std::vector<Metric> memory_metrics(const TraceInput& input) {
  if (const std::string why = why_no_steps(input); !why.empty()) {
    return not_applicable(kNames, why);
  }
  const std::vector<MemoryLevels> all = table::memory_levels(input.timeline);
  const MemoryLevels* const levels = fullest(all);
  std::vector<Metric> metrics = not_applicable(kNames, kNoRowsReason);
  if (levels == nullptr) {
    return metrics;
  }
  fill_peaks(input, *levels, metrics);
  const Churn churn = churn_of(input, *levels);
  metrics[allocations] = over_steps(kNames[allocations], per_step(churn.count, input), input);
  metrics[allocated_bytes] =
      over_steps(kNames[allocated_bytes], per_step(churn.bytes, input), input);
  fill_growth(input, *levels, metrics);
  return metrics;
}

Metric largest_step_allocation(const TraceInput& input) {
  if (const std::string why = why_no_steps(input); !why.empty()) {
    return not_applicable(kLargest, why);
  }
  const auto& steps = input.partition.steps.steps;
  std::vector<std::int64_t> largest(steps.size());
  std::size_t step = 0;
  bool is_any = false;
  for (const profile::MemoryEvent& row : input.timeline.memory) {  // by time
    while (step < steps.size() && steps[step].interval.end_ns <= row.time_ns) {
      ++step;
    }
    is_any = is_any || row.device_type == 0;
    if (row.device_type == 0 && step < steps.size() &&
        steps[step].interval.begin_ns <= row.time_ns) {
      largest[step] = std::max(largest[step], row.bytes);
    }
  }
  if (!is_any) {
    return not_applicable(kLargest, std::string(kNoRowsReason) + ", or not of the CPU");
  }
  const std::int64_t least = *std::min_element(largest.begin(), largest.end());
  return over_steps(kLargest, static_cast<double>(least), input);
}

}  // namespace tune::metric
