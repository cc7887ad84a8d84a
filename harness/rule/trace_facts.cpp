#include "rule/trace_facts.h"

#include "metric/copies.h"
#include "metric/host_syncs.h"
#include "metric/long_gaps.h"
#include "profile/role.h"
#include "rule/known_name.h"
#include "rule/metric_unit.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace tune::rule {

namespace {

using expression::Result;
using expression::Unknown;
using expression::Value;
using metric::Metric;
using metric::TraceInput;
using profile::Event;

constexpr std::size_t kMostExamples = 3;
constexpr const char* kTrace = "trace";
constexpr const char* kProfile = "profile";

Result result_of(const Metric& metric) {
  if (!metric.is_applicable()) {
    return Unknown{metric.reason};
  }
  return Value::of(*metric.value, dimension_of_unit(metric.unit));
}

// The longest rows of one kind, the longest first.
class Longest {
 public:
  void offer(const profile::Timeline& timeline, const Event& event) {
    const bool is_full = rows_.size() == kMostExamples;
    if (is_full && event.duration_ns <= rows_.back().duration_ns) {
      return;
    }
    if (is_full) {
      rows_.pop_back();
    }
    Example row{std::string(timeline.name(event)), event.start_ns, event.duration_ns};
    const auto place = std::find_if(rows_.begin(), rows_.end(), [&](const Example& other) {
      return other.duration_ns < row.duration_ns;
    });
    rows_.insert(place, std::move(row));
  }
  const std::vector<Example>& rows() const { return rows_; }

 private:
  std::vector<Example> rows_;
};

struct LongestRows {
  Longest loading, communication, to_device, pageable_to_device, to_host;
};

void offer_copy(const profile::Timeline& timeline, const Event& event, LongestRows& longest) {
  const std::string_view name = timeline.name(event);
  const auto way = metric::copy_way(name);
  if (way == metric::CopyWay::to_device) {
    longest.to_device.offer(timeline, event);
    if (metric::is_pageable_copy(name)) {
      longest.pageable_to_device.offer(timeline, event);
    }
  } else if (way == metric::CopyWay::to_host) {
    longest.to_host.offer(timeline, event);
  }
}

LongestRows longest_rows(const TraceInput& input) {
  const profile::Timeline& timeline = input.timeline;
  const profile::RoleOfEvent role_of(timeline);
  LongestRows longest;
  for (std::uint32_t i = 0; i < timeline.events.size(); ++i) {
    const Event& event = timeline.events[i];
    if (!input.begins_in_step(i)) {
      continue;
    }
    const auto role = role_of(event);
    if (role == profile::Role::data_loading) {
      longest.loading.offer(timeline, event);
    } else if (role == profile::Role::communication) {
      longest.communication.offer(timeline, event);
    } else if (role == profile::Role::memcpy) {
      offer_copy(timeline, event, longest);
    }
  }
  return longest;
}

std::vector<Example> longest_gaps(const TraceInput& input) {
  std::vector<Example> examples;
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

void add_examples(const TraceInput& input, FactTable& facts) {
  const LongestRows longest = longest_rows(input);
  const std::vector<Example> gaps = longest_gaps(input);
  if (!gaps.empty()) {
    facts.set("gap_host_cover",
              {.result = Value::of(gaps.front().name), .source = kTrace, .window = kProfile});
  }
  struct Shown {
    std::string_view name;
    const std::vector<Example>* rows;
  };
  const std::array<Shown, 10> shown = {
      {{"data_wait_ratio", &longest.loading.rows()},
       {"partition_data_loading_ratio", &longest.loading.rows()},
       {"communication_exposed_ratio", &longest.communication.rows()},
       {"h2d_exposed_ratio", &longest.to_device.rows()},
       {"h2d_device_ratio", &longest.to_device.rows()},
       {"h2d_pageable_host_ratio", &longest.pageable_to_device.rows()},
       {"small_d2h_blocked_ratio", &longest.to_host.rows()},
       {"gap_time_max", &gaps},
       {"long_gap_ratio", &gaps},
       {"long_gap_time", &gaps}}};
  for (const auto& [name, rows] : shown) {
    const Fact* const fact = facts.find(name);
    if (fact != nullptr && !rows->empty() && std::holds_alternative<Value>(fact->result)) {
      Fact with_rows = *fact;
      with_rows.examples = *rows;
      facts.set(std::string(name), std::move(with_rows));
    }
  }
}

Result device_of(const TraceInput& input) {
  if (input.partition.has_device_rows) {
    return Value::of("cuda");
  }
  if (input.timeline.devices.empty()) {
    return Value::of("cpu");
  }
  return Unknown{"the machine has a GPU, and the profiler did not watch it"};
}

// Of the devices that the trace describes; the first speaks for all.
void add_devices(const TraceInput& input, FactTable& facts) {
  const auto& devices = input.timeline.devices;
  if (devices.empty()) {
    return;
  }
  facts.set("device_count",
            {.result = Value::of(static_cast<double>(devices.size())), .source = kTrace});
  const profile::DeviceProperties& first = devices.front();
  if (first.compute_major > 0) {
    constexpr double kTenth = 0.1;
    facts.set("compute_capability",
              {.result = Value::of(static_cast<double>(first.compute_major) +
                                   kTenth * static_cast<double>(first.compute_minor)),
               .source = kTrace});
  }
}

Result worker_count(bool is_single) {
  if (is_single) {
    return Value::of(0.0);
  }
  return Unknown{"the loader has workers, and the trace does not say how many"};
}

// Whether the rows of PyTorch's loader say that it runs in the training process.
void add_loader(const TraceInput& input, FactTable& facts) {
  bool has_loader = false;
  bool is_single = false;
  bool is_multiple = false;
  const profile::StringPool& strings = input.timeline.strings;
  for (std::size_t i = 0; i < strings.size(); ++i) {
    const std::string_view name = strings.text(static_cast<profile::StringId>(i));
    const bool is_loader = name.starts_with("enumerate(DataLoader)#");
    has_loader = has_loader || is_loader;
    is_single = is_single || (is_loader && name.find("#_SingleProcess") != name.npos);
    is_multiple = is_multiple || (is_loader && name.find("#_MultiProcessing") != name.npos);
  }
  if (!has_loader || is_single == is_multiple) {
    return;
  }
  facts.set("num_workers",
            {.result = worker_count(is_single), .source = "trace: name of the loader's rows"});
  facts.set("loader_ops_on_main_thread",
            {.result = Value::of(is_single), .source = "trace: name of the loader's rows"});
}

// How the work is spread over devices, by the ranges that PyTorch writes around its forward pass.
void add_parallelism(const TraceInput& input, FactTable& facts) {
  const profile::StringPool& strings = input.timeline.strings;
  const char* api = nullptr;
  for (std::size_t i = 0; i < strings.size(); ++i) {
    const std::string_view name = strings.text(static_cast<profile::StringId>(i));
    if (name == "DistributedDataParallel.forward") {
      api = "DistributedDataParallel";
    } else if (name == "DataParallel.forward" && api == nullptr) {
      api = "DataParallel";
    }
  }
  facts.set("parallel_api",
            {.result = api != nullptr ? Result(Value::of(api))
                                      : Result(Unknown{"no row is called DataParallel.forward or "
                                                       "DistributedDataParallel.forward"}),
             .source = kTrace});
  if (!input.timeline.rank.backend.empty()) {
    facts.set(
        "backend",
        {.result = Value::of(input.timeline.rank.backend), .source = "trace: distributedInfo"});
  }
}

// The operators that read scalars, the one that waited longest first.
void add_scalar_readers(const TraceInput& input, FactTable& facts) {
  Value::List readers;
  for (const metric::ScalarSync& sync : metric::scalar_syncs(input)) {
    if (!sync.host_row.empty()) {
      readers.push_back(Value::of(sync.host_row));
    }
  }
  facts.set("sync_ancestor_ops",
            {.result = readers.empty() ? Result(Unknown{"no operator reads a scalar from a device"})
                                       : Result(Value::of(std::move(readers))),
             .source = kTrace,
             .window = kProfile});
}

// A loss or a learning rate may come from pageable memory while batches do not.
Result pinning(double bytes, double pageable_bytes) {
  if (pageable_bytes * 2 > bytes) {
    return Value::of(false);
  }
  if (pageable_bytes == 0) {
    return Value::of(true);
  }
  return Unknown{"some copies are from pinned memory, some are not"};
}

double number_or_zero(const FactTable& facts, const char* name) {
  const Result result = facts.value(name);
  const auto* const value = std::get_if<Value>(&result);
  return value != nullptr ? std::get<expression::Number>(value->data).value : 0;
}

void add_pinning(FactTable& facts) {
  const double bytes = number_or_zero(facts, "h2d_bytes");
  if (bytes > 0) {
    facts.set("pin_memory",
              {.result = pinning(bytes, number_or_zero(facts, "h2d_pageable_bytes")),
               .source = "trace: names of the copies"});
  }
}

}  // namespace

void add_metrics(const std::vector<Metric>& metrics,
                 const std::string& source,
                 const std::string& window,
                 FactTable& facts) {
  for (const Metric& metric : metrics) {
    if (find_known_name(metric.id) != nullptr) {
      facts.set(metric.id,
                {.result = result_of(metric),
                 .source = source,
                 .window = window,
                 .warnings = metric.warnings});
    }
  }
}

FactTable facts_of_trace(const TraceInput& input, const std::vector<Metric>& metrics) {
  FactTable facts;
  const bool is_marked = input.partition.steps.are_marked;
  facts.step_count = is_marked ? static_cast<std::int64_t>(input.partition.steps.steps.size()) : 0;
  add_metrics(metrics, kTrace, kProfile, facts);
  facts.set("device", {.result = device_of(input), .source = kTrace});
  add_devices(input, facts);
  add_loader(input, facts);
  add_parallelism(input, facts);
  add_scalar_readers(input, facts);
  add_pinning(facts);
  add_examples(input, facts);
  return facts;
}

}  // namespace tune::rule
