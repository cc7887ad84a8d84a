#include "trace/metric/communication.h"

#include "base/stats/quantile.h"
#include "trace/metric/trace_input.h"
#include "trace/role.h"
#include "trace/table/host_tree.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace tune::metric {

namespace {

using profile::CollectiveDetail;
using profile::Role;

constexpr std::array<MetricName, 4> kTimeNames = {{{"communication_time", "s"},
                                                   {"communication_exposed_ratio", "ratio"},
                                                   {"communication_overlap_ratio", "ratio"},
                                                   {"gradient_reduction_ratio", "ratio"}}};
constexpr std::array<MetricName, 5> kMessageNames = {{{"message_count", "count"},
                                                      {"message_bytes_median", "B"},
                                                      {"small_message_ratio", "ratio"},
                                                      {"collective_wait_ratio", "ratio"},
                                                      {"bus_bandwidth", "B/s"}}};
constexpr double kSmallBytes = 1e6;
// Ours, as the four of a kind: less of them say little of what is usual.
constexpr double kTimesNeeded = 3, kLeastWaitNs = 1e6;
constexpr std::size_t kFewestOfAKind = 4;
constexpr double kMostSmallNs = 200e3;  // 1 MB at 5 GB/s: what takes longer waits. Ours.

// The name in small letters without underscores: "_allgather_base" and "all_gather" are one.
std::string plain(std::string_view name) {
  std::string text;
  text.reserve(name.size());
  for (const char c : name) {
    if (c != '_') {
      text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  return text;
}

// The size of one element; nothing for a type that is not known.
std::optional<double> element_bytes(std::string_view dtype) {
  constexpr std::array<std::pair<std::string_view, double>, 18> kBytes = {{{"double", 8},
                                                                           {"long", 8},
                                                                           {"int64", 8},
                                                                           {"float64", 8},
                                                                           {"float", 4},
                                                                           {"int", 4},
                                                                           {"int32", 4},
                                                                           {"float32", 4},
                                                                           {"half", 2},
                                                                           {"bfloat16", 2},
                                                                           {"float16", 2},
                                                                           {"short", 2},
                                                                           {"byte", 1},
                                                                           {"char", 1},
                                                                           {"bool", 1},
                                                                           {"uint8", 1},
                                                                           {"int8", 1},
                                                                           {"complexfloat", 8}}};
  const std::string name = plain(dtype);
  if (name.starts_with("float8")) {
    return 1;
  }
  const auto found = std::find_if(
      kBytes.begin(), kBytes.end(), [&name](const auto& entry) { return entry.first == name; });
  return found == kBytes.end() ? std::nullopt : std::optional(found->second);
}

// What a link moves for each byte of the message, after nccl-tests.
double bus_factor(std::string_view collective, double ranks) {
  const std::string name = plain(collective);
  const auto is = [&name](std::string_view part) { return name.find(part) != std::string::npos; };
  if (is("allreduce")) {
    return 2 * (ranks - 1) / ranks;
  }
  return is("allgather") || is("reducescatter") || is("alltoall") ? (ranks - 1) / ranks : 1;
}

// Collectives of one kind in one group, of at least 1 MB.
struct Alike {
  std::vector<double> bytes, ns;  // bytes: that a link moves

  std::optional<double> wait_ns() const {
    if (ns.size() < kFewestOfAKind) {
      return std::nullopt;
    }
    std::vector<double> rates;
    rates.reserve(ns.size());
    for (std::size_t i = 0; i < ns.size(); ++i) {
      rates.push_back(bytes[i] / ns[i]);
    }
    const double rate = stats::quantile(std::move(rates), 0.75);
    double sum_ns = 0;
    for (std::size_t i = 0; i < ns.size(); ++i) {
      const double needed_ns = bytes[i] / rate, wait_ns = ns[i] - needed_ns;
      sum_ns += ns[i] >= kTimesNeeded * needed_ns && wait_ns >= kLeastWaitNs ? wait_ns : 0;
    }
    return sum_ns;
  }
};

struct Messages {
  std::vector<double> bytes, bandwidths;
  double all_ns = 0, small_ns = 0;
  std::map<std::tuple<std::string, profile::StringId, profile::StringId, std::int64_t>, Alike>
      alike;

  // Nothing where there are too few of each kind.
  std::optional<double> wait_ns() const {
    std::optional<double> sum_ns;
    for (const auto& [kind, messages] : alike) {
      if (const auto ns = messages.wait_ns()) {
        sum_ns = sum_ns.value_or(0) + *ns;
      }
    }
    return sum_ns;
  }
};

Messages find_messages(const TraceInput& input) {
  const profile::Timeline& timeline = input.timeline;
  Messages messages;
  messages.bytes.reserve(timeline.collectives.size());
  messages.bandwidths.reserve(timeline.collectives.size());
  for (const std::uint32_t i : input.device_work) {
    const profile::KernelDetail* const kernel = timeline.kernel(timeline.events[i]);
    if (kernel == nullptr || kernel->collective >= timeline.collectives.size() ||
        !input.begins_in_step(i)) {
      continue;
    }
    const CollectiveDetail& collective = timeline.collectives[kernel->collective];
    const auto element = element_bytes(timeline.strings.text(collective.dtype));
    const std::int64_t elements = std::max(collective.elements_in, collective.elements_out);
    if (!element || elements < 0) {
      continue;
    }
    const double bytes = *element * static_cast<double>(elements);
    messages.bytes.push_back(bytes);
    const auto ns = static_cast<double>(timeline.events[i].duration_ns);
    messages.all_ns += ns;
    messages.small_ns += bytes < kSmallBytes ? std::min(ns, kMostSmallNs) : 0;
    if (bytes >= kSmallBytes && collective.group_size >= 2 && ns > 0) {
      const double factor = bus_factor(timeline.strings.text(collective.name),
                                       static_cast<double>(collective.group_size));
      messages.bandwidths.push_back(bytes * factor / (ns * 1e-9));
      std::string kind = plain(timeline.strings.text(collective.name));
      if (kind.find("send") == std::string::npos && kind.find("recv") == std::string::npos) {
        Alike& alike = messages.alike[{
            std::move(kind), collective.group_name, collective.group_ranks, collective.group_size}];
        alike.bytes.push_back(bytes * factor);
        alike.ns.push_back(ns);
      }
    }
  }
  return messages;
}

// What a kernel of communication does: by its arguments, else by its own name.
std::string kind_of(const TraceInput& input, const profile::Event& event) {
  const profile::KernelDetail* const kernel = input.timeline.kernel(event);
  const auto& collectives = input.timeline.collectives;
  const bool is_known = kernel != nullptr && kernel->collective < collectives.size();
  return plain(is_known ? input.timeline.strings.text(collectives[kernel->collective].name)
                        : input.timeline.name(event));
}

bool splits_a_layer(std::string_view name) {
  return name.find("ParallelRegion") != std::string_view::npos;
}

// The share of communication time that sums gradients over the ranks, among communication whose
// kind is known. Below 0 when no kind is known.
double reduction_ratio(const TraceInput& input) {
  constexpr std::array<std::string_view, 7> kOthers = {
      "sendrecv", "alltoall", "allgather", "broadcast", "send", "recv", "gather"};
  double reducing_ns = 0, known_ns = 0;
  NamesThat splits(input.timeline, splits_a_layer);
  const std::vector<std::uint32_t> splitting = table::innermost_that(
      input.tree, [&](std::uint32_t row) { return splits(input.timeline.events[row]); });
  // Layers on several devices sum activations: in the forward pass, and in the backward pass within
  // Megatron's functions.
  const auto sums_activations = [&](std::uint32_t row) {
    return row != profile::kNone &&
           (input.phases[row] == table::Phase::forward || splitting[row] != profile::kNone);
  };
  for (const std::uint32_t i : input.device_work) {
    const profile::Event& event = input.timeline.events[i];
    if (!input.begins_in_step(i) || !profile::is_communication_kernel(input.timeline.name(event))) {
      continue;
    }
    const std::string kind = kind_of(input, event);
    const auto is = [&kind](std::string_view part) { return kind.find(part) != std::string::npos; };
    const auto ns = static_cast<double>(event.duration_ns);
    if (is("allreduce") || is("reducescatter")) {
      reducing_ns += sums_activations(input.issuing_row[i]) ? 0 : ns;
      known_ns += ns;
    } else if (std::any_of(kOthers.begin(), kOthers.end(), is)) {
      known_ns += ns;
    }
  }
  return known_ns > 0 ? reducing_ns / known_ns : -1;
}

}  // namespace

std::vector<Metric> communication_times(const TraceInput& input) {
  if (const std::string why = why_no_communication(input); !why.empty()) {
    return not_applicable(kTimeNames, why);
  }
  const profile::Partition& partition = input.partition;
  const auto all_ns = static_cast<double>(
      length_ns(profile::intersect(partition.covered[static_cast<std::size_t>(Role::communication)],
                                   partition.steps.covered())));
  if (all_ns <= 0) {
    return not_applicable(kTimeNames, "no communication ran within a step");
  }
  const auto exposed_ns = static_cast<double>(partition.communication_beside_kernels_ns);
  const double reducing = reduction_ratio(input);
  std::vector<Metric> metrics = over_steps(kTimeNames,
                                           {per_step(all_ns * 1e-9, input),
                                            exposed_ns / static_cast<double>(partition.total_ns()),
                                            (all_ns - exposed_ns) / all_ns,
                                            std::max(0.0, reducing)},
                                           input);
  if (reducing < 0) {
    metrics.back() =
        not_applicable(kTimeNames.back(), "no kernel of communication says what it does");
  }
  return metrics;
}

std::vector<Metric> message_metrics(const TraceInput& input) {
  if (const std::string why = why_no_communication(input); !why.empty()) {
    return not_applicable(kMessageNames, why);
  }
  const Messages messages = find_messages(input);
  if (messages.bytes.empty()) {
    return not_applicable(kMessageNames, "no kernel of communication says how much it moves");
  }
  const auto count = static_cast<double>(messages.bytes.size());
  const bool has_bandwidth = !messages.bandwidths.empty();
  std::vector<Metric> metrics = over_steps(kMessageNames,
                                           {per_step(count, input),
                                            stats::median(messages.bytes),
                                            messages.small_ns / std::max(messages.all_ns, 1.0),
                                            0,
                                            has_bandwidth ? stats::median(messages.bandwidths) : 0},
                                           input);
  const auto wait_ns = messages.wait_ns();
  metrics[3] =
      wait_ns ? share_of_steps(
                    std::string(kMessageNames[3].id), static_cast<std::int64_t>(*wait_ns), input)
              : not_applicable(kMessageNames[3], "too few collectives of one kind move 1 MB each");
  if (!has_bandwidth) {
    metrics.back() = not_applicable(kMessageNames.back(),
                                    "no message of at least 1 MB says how many ranks exchanged it");
  }
  return metrics;
}

}  // namespace tune::metric
