#include "trial/slice_json.h"

#include "trial/device_json.h"
#include "trial/record_columns.h"
#include "trial/reply_limits.h"

#include <nlohmann/json.hpp>

#include <array>
#include <optional>
#include <utility>

namespace tune::trial {

namespace {

using nlohmann::json;

constexpr Columns<PhaseSums, 6> kParts = {{{"data_wait_ns", &PhaseSums::data_wait_ns},
                                           {"transfer_ns", &PhaseSums::transfer_ns},
                                           {"forward_ns", &PhaseSums::forward_ns},
                                           {"backward_ns", &PhaseSums::backward_ns},
                                           {"optimizer_ns", &PhaseSums::optimizer_ns},
                                           {"other_ns", &PhaseSums::other_ns}}};

std::optional<std::int64_t> maybe(JsonObject& object, const char* name, Range range) {
  if (object.is_null(name)) {
    return std::nullopt;
  }
  return object.whole(name, range);
}

// Of a field that younger writers know.
std::optional<std::int64_t> if_said(JsonObject& object, const char* name, Range range) {
  return object.has(name) ? maybe(object, name, range) : std::nullopt;
}

PhaseSums read_phases(JsonObject object) {
  PhaseSums sums;
  for (const auto& [name, part] : kParts) {
    sums.*part = object.whole(name, kDuration);
  }
  return sums;
}

Disturbance read_disturbance(JsonObject object) {
  Disturbance seen;
  seen.minor_faults = object.whole("minor_faults", kCount);
  seen.major_faults = object.whole("major_faults", kCount);
  seen.voluntary_switches = object.whole("voluntary_switches", kCount);
  seen.involuntary_switches = object.whole("involuntary_switches", kCount);
  seen.own_cpu_ns = object.whole("own_cpu_ns", kCpuTime);
  seen.run_delay_ns = maybe(object, "run_delay_ns", kCpuTime);
  seen.main_run_delay_ns = if_said(object, "main_run_delay_ns", kCpuTime);
  seen.other_cpu_ns = maybe(object, "other_cpu_ns", kCpuTime);
  seen.steal_ns = maybe(object, "steal_ns", kCpuTime);
  seen.resident_bytes = if_said(object, "resident_bytes", kBytes);
  seen.pressure_cpu_ns = if_said(object, "pressure_cpu_ns", kCpuTime);
  seen.pressure_io_ns = if_said(object, "pressure_io_ns", kCpuTime);
  seen.throttle_events = if_said(object, "throttle_events", kCount);
  seen.core_probe_ns = if_said(object, "core_probe_ns", kCpuTime);
  seen.fastest_core_probe_ns = if_said(object, "fastest_core_probe_ns", kCpuTime);
  if (object.has("mean_mhz") && !object.is_null("mean_mhz")) {
    seen.mean_mhz = object.real("mean_mhz", 0, 1e6);
  }
  return seen;
}

template <class Number>
json to_value(const std::optional<Number>& number) {
  return number ? json(*number) : json(nullptr);
}

Slice read_slice(JsonObject& object) {
  Slice slice;
  slice.start_ns = object.whole("start_ns", kMoment);
  slice.wall_ns = object.whole("wall_ns", {1, kDuration.max});
  slice.steps = object.whole("steps", {1, kCount.max});
  slice.samples = object.whole("samples", {1, kCount.max});
  slice.epochs_begun = object.whole("epochs_begun", kCount);
  slice.phases = read_phases(object.object("phases"));
  slice.disturbance = read_disturbance(object.object("disturbance"));
  slice.stock_before = object.whole("stock_before", kCount);
  slice.stock_after = object.whole("stock_after", kCount);
  if (object.has("device") && !object.is_null("device")) {
    slice.device = read_device_phases(object.object("device"));
  }
  if (slice.phases.total_ns() != slice.wall_ns) {
    complain(object.where(),
             object.path_of("phases"),
             "sum to " + std::to_string(slice.phases.total_ns()) + " ns, the slice lasted " +
                 std::to_string(slice.wall_ns) + " ns");
  }
  return slice;
}

}  // namespace

json slice_to_json(const Slice& slice) {
  json phases = json::object();
  for (const auto& [name, part] : kParts) {
    phases[name] = slice.phases.*part;
  }
  const Disturbance& seen = slice.disturbance;
  json object = {{"start_ns", slice.start_ns},
                 {"wall_ns", slice.wall_ns},
                 {"steps", slice.steps},
                 {"samples", slice.samples},
                 {"epochs_begun", slice.epochs_begun},
                 {"phases", std::move(phases)},
                 {"disturbance",
                  {{"minor_faults", seen.minor_faults},
                   {"major_faults", seen.major_faults},
                   {"voluntary_switches", seen.voluntary_switches},
                   {"involuntary_switches", seen.involuntary_switches},
                   {"own_cpu_ns", seen.own_cpu_ns},
                   {"run_delay_ns", to_value(seen.run_delay_ns)},
                   {"main_run_delay_ns", to_value(seen.main_run_delay_ns)},
                   {"other_cpu_ns", to_value(seen.other_cpu_ns)},
                   {"steal_ns", to_value(seen.steal_ns)},
                   {"resident_bytes", to_value(seen.resident_bytes)},
                   {"pressure_cpu_ns", to_value(seen.pressure_cpu_ns)},
                   {"pressure_io_ns", to_value(seen.pressure_io_ns)},
                   {"throttle_events", to_value(seen.throttle_events)},
                   {"mean_mhz", to_value(seen.mean_mhz)},
                   {"core_probe_ns", to_value(seen.core_probe_ns)},
                   {"fastest_core_probe_ns", to_value(seen.fastest_core_probe_ns)}}},
                 {"stock_before", slice.stock_before},
                 {"stock_after", slice.stock_after}};
  if (slice.device) {
    object["device"] = to_value(*slice.device);
  }
  return object;
}

std::vector<Slice> read_slices(JsonObject& reply) {
  std::vector<Slice> slices;
  reply.each("slices", kMostSlices, [&](JsonObject& object) {
    Slice slice = read_slice(object);
    if (!slices.empty() && slice.start_ns < slices.back().start_ns + slices.back().wall_ns) {
      complain(object.where(), object.path_of("start_ns"), "lies inside the slice before");
    }
    slices.push_back(slice);
  });
  return slices;
}

std::vector<PhaseSums> read_step_phases(JsonObject object) {
  return read_columns(object, kParts, kMostSteps, kDuration);
}

json step_phases_to_json(const std::vector<PhaseSums>& steps) {
  return columns_to_json(steps, kParts, steps.size());
}

}  // namespace tune::trial
