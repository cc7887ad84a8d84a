#include "machine/telemetry/gpu_source.h"

#include "base/clock.h"

#include <algorithm>
#include <array>

namespace tune::telemetry {

namespace {

using machine::GpuQuantity;

struct Row {
  GpuQuantity quantity;
  const char *id, *unit;
  Kind kind;
};

// In the order of GpuQuantity.
constexpr std::array<Row, machine::kGpuQuantities> kRows = {
    {{GpuQuantity::util, "gpu_util_ratio", "ratio", Kind::level},
     {GpuQuantity::memory_util, "gpu_memory_util_ratio", "ratio", Kind::level},
     {GpuQuantity::memory_used, "gpu_memory_bytes", "B", Kind::level},
     {GpuQuantity::energy, "gpu_power", "W", Kind::count},
     {GpuQuantity::temperature, "gpu_temperature", "degC", Kind::level},
     {GpuQuantity::memory_temperature, "gpu_memory_temperature", "degC", Kind::level},
     {GpuQuantity::sm_clock, "gpu_sm_clock", "Hz", Kind::level},
     {GpuQuantity::memory_clock, "gpu_memory_clock", "Hz", Kind::level},
     {GpuQuantity::power_capped, "gpu_power_capped_ratio", "ratio", Kind::level},
     {GpuQuantity::thermally_slowed, "gpu_thermally_slowed_ratio", "ratio", Kind::level},
     {GpuQuantity::power_cap_time, "gpu_power_cap_time_ratio", "ratio", Kind::count},
     {GpuQuantity::sync_boost_time, "gpu_sync_boost_time_ratio", "ratio", Kind::count},
     {GpuQuantity::software_thermal_time, "gpu_software_thermal_time_ratio", "ratio", Kind::count},
     {GpuQuantity::hardware_thermal_time, "gpu_hardware_thermal_time_ratio", "ratio", Kind::count},
     {GpuQuantity::power_brake_time, "gpu_power_brake_time_ratio", "ratio", Kind::count},
     {GpuQuantity::pcie_sent, "gpu_pcie_send_rate", "B/s", Kind::count},
     {GpuQuantity::pcie_received, "gpu_pcie_receive_rate", "B/s", Kind::count},
     {GpuQuantity::nvlink_sent, "gpu_nvlink_send_rate", "B/s", Kind::count},
     {GpuQuantity::nvlink_received, "gpu_nvlink_receive_rate", "B/s", Kind::count},
     {GpuQuantity::sm_util, "gpu_sm_util_ratio", "ratio", Kind::level},
     {GpuQuantity::sm_occupancy, "gpu_sm_occupancy_ratio", "ratio", Kind::level},
     {GpuQuantity::tensor_util, "gpu_tensor_ratio", "ratio", Kind::level},
     {GpuQuantity::dram_util, "gpu_dram_ratio", "ratio", Kind::level}}};

struct Constant {
  const char *id, *unit;
};
constexpr std::array<Constant, 5> kConstants = {{{"gpu_max_sm_clock", "Hz"},
                                                 {"gpu_power_limit", "W"},
                                                 {"gpu_memory_total_bytes", "B"},
                                                 {"foreign_gpu_utilisation_ratio", "ratio"},
                                                 {"foreign_gpu_process_count", "count"}}};

std::string reason_of(const machine::GpuValue& value) {
  return value.code == machine::nvml::kSuccess ? "" : machine::nvml_reason(value.code);
}

}  // namespace

std::vector<SeriesInfo> missing_gpu_series(const std::string& reason) {
  std::vector<SeriesInfo> series;
  series.reserve(kRows.size() + kConstants.size());
  for (const Row& row : kRows) {
    series.push_back({row.id, "", row.unit, row.kind, 1, reason});
  }
  for (const Constant& constant : kConstants) {
    series.push_back({constant.id, "", constant.unit, Kind::level, 1, reason});
  }
  return series;
}

GpuSource::GpuSource(const machine::Nvml& library, const machine::Nvml::Gpu& gpu)
    : device_(library, gpu) {
  constexpr int kNoData = 21;  // quantities that need two readings
  begin_ns_ = monotonic_ns();
  const machine::GpuValues& now = device_.read(begin_ns_);
  for (const Row& row : kRows) {
    const machine::GpuValue& value = now[static_cast<std::size_t>(row.quantity)];
    const std::string reason = value.code == kNoData ? "" : reason_of(value);
    series_.push_back({row.id, gpu.uuid, row.unit, row.kind, 1, reason});
  }
  read_constants(gpu.uuid, now[static_cast<std::size_t>(GpuQuantity::util)]);
}

// Read before a worker of ours uses the GPU: every process on it is foreign and causes its load.
// Process ids would not help, because a container has other ids than the driver.
void GpuSource::read_constants(const std::string& uuid, const machine::GpuValue& util) {
  const std::array<machine::GpuValue, kConstants.size()> values = {device_.max_sm_clock(),
                                                                   device_.power_limit(),
                                                                   device_.memory_total(),
                                                                   util,
                                                                   device_.process_count()};
  for (std::size_t i = 0; i < values.size(); ++i) {
    series_.push_back(
        {kConstants[i].id, uuid, kConstants[i].unit, Kind::level, 1, reason_of(values[i])});
    constants_.push_back(values[i].value);
  }
}

// The worker of the previous trial may still be on the GPU, and the utilisation is a mean over up
// to a second. That worker leaves before this trial's worker, which takes longer to reach the GPU,
// so the lowest count and utilisation are used.
void GpuSource::recount_strangers(std::int64_t now_ns, const machine::GpuValue& util) {
  constexpr std::int64_t kSettledNs = 1'000'000'000;
  if (now_ns - begin_ns_ > kSettledNs) {
    return;
  }
  double &busy = constants_[constants_.size() - 2], &strangers = constants_.back();
  busy = util.code == machine::nvml::kSuccess ? std::min(busy, util.value) : busy;
  if (strangers > 0) {
    const machine::GpuValue now = device_.process_count();
    strangers = now.code == machine::nvml::kSuccess ? std::min(strangers, now.value) : strangers;
  }
}

void GpuSource::sample(std::int64_t now_ns, std::span<double> values) {
  const machine::GpuValues& now = device_.read(now_ns);
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    const machine::GpuValue& value = now[static_cast<std::size_t>(kRows[i].quantity)];
    if (value.code == machine::nvml::kSuccess) {
      values[i] = value.value;
    }
  }
  recount_strangers(now_ns, now[static_cast<std::size_t>(GpuQuantity::util)]);
  for (std::size_t i = 0; i < constants_.size(); ++i) {
    if (series_[kRows.size() + i].reason.empty()) {
      values[kRows.size() + i] = constants_[i];
    }
  }
}

}  // namespace tune::telemetry
