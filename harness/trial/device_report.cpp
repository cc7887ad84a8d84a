#include "trial/device_report.h"

#include "base/fields.h"
#include "trial/reply_limits.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace tune::trial {

namespace {

constexpr Columns<DevicePhaseSums, 5> kParts = {{{"idle_ns", &DevicePhaseSums::idle_ns},
                                                 {"transfer_ns", &DevicePhaseSums::transfer_ns},
                                                 {"forward_ns", &DevicePhaseSums::forward_ns},
                                                 {"backward_ns", &DevicePhaseSums::backward_ns},
                                                 {"optimizer_ns", &DevicePhaseSums::optimizer_ns}}};

// Written only where there is one: older replies lack it.
constexpr const char* kGraph = "graph_ns";

Columns<DevicePhaseSums, 6> parts_with_graph() {
  Columns<DevicePhaseSums, 6> parts;
  std::copy(kParts.begin(), kParts.end(), parts.begin());
  parts.back() = {kGraph, &DevicePhaseSums::graph_ns};
  return parts;
}

bool have_graph(Fields& fields, const char* name, const std::vector<DevicePhaseSums>& steps) {
  return fields.input() != nullptr ? fields.input()->object(name).has(kGraph)
                                   : std::any_of(steps.begin(), steps.end(), [](const auto& step) {
                                       return step.graph_ns != 0;
                                     });
}

}  // namespace

void fields_of(Fields& fields, DevicePhaseSums& sums) {
  fields.wholes(sums, kParts, kDuration);
  if (fields.has(kGraph, sums.graph_ns != 0)) {
    fields.whole(kGraph, sums.graph_ns, kDuration);
  }
}

void device_steps_of(Fields& fields, const char* name, std::vector<DevicePhaseSums>& steps) {
  if (have_graph(fields, name, steps)) {
    fields.columns(name, steps, parts_with_graph(), kMostDeviceSteps, kDuration);
  } else {
    fields.columns(name, steps, kParts, kMostDeviceSteps, kDuration);
  }
}

void fields_of(Fields& fields, DeviceMemory& memory) {
  fields.whole("allocated_bytes", memory.allocated_bytes, kBytes);
  fields.whole("peak_allocated_bytes", memory.peak_allocated_bytes, kBytes);
  fields.whole("reserved_bytes", memory.reserved_bytes, kBytes);
  fields.whole("peak_reserved_bytes", memory.peak_reserved_bytes, kBytes);
  fields.whole("inactive_split_bytes", memory.inactive_split_bytes, kBytes);
  fields.whole("retries", memory.retries, kBytes);
  fields.whole("device_allocations", memory.device_allocations, kBytes);
  fields.whole("device_frees", memory.device_frees, kBytes);
  fields.whole("sync_all_streams", memory.sync_all_streams, kBytes);
  fields.whole("failures", memory.failures, kBytes);
}

void fields_of(Fields& fields, GpuFacts& gpu) {
  fields.text("name", gpu.name, 256);
  fields.text("uuid", gpu.uuid, 256);
  fields.whole("compute_major", gpu.compute_major, kBytes);
  fields.whole("compute_minor", gpu.compute_minor, kBytes);
  fields.whole("memory_bytes", gpu.memory_bytes, kBytes);
  fields.whole("multiprocessors", gpu.multiprocessors, kBytes);
  fields.whole("driver_version", gpu.driver_version, kBytes);
  fields.whole("runtime_version", gpu.runtime_version, kBytes);
  fields.whole("cupti_version", gpu.cupti_version, kBytes);
  fields.whole("cudnn_version", gpu.cudnn_version, kBytes);
}

}  // namespace tune::trial
