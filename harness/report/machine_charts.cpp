#include "report/machine_charts.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace tune::report {

namespace {

using Count = ChartLine::Count;
using telemetry::SeriesSummary;
using telemetry::TrialTelemetry;

bool has_value(const std::vector<double>& curve) {
  return std::any_of(curve.begin(), curve.end(), [](double value) { return std::isfinite(value); });
}

double factor_of(const TrialTelemetry& trial, const ChartLine& line) {
  return line.count == Count::cpus ? static_cast<double>(std::max<std::int64_t>(trial.cpus, 1)) : 1;
}

}  // namespace

const std::vector<Chart>& machine_charts() {
  constexpr auto kSolid = Drawing::Line::solid;
  constexpr auto kDashed = Drawing::Line::dashed;
  static const std::vector<Chart> all = {
      {"CPUs in use",
       "CPUs",
       1,
       {{"worker_cores", "by the worker", {Colour::forward, 1.5, kSolid}},
        {"cpu_busy_ratio", "by all", {Colour::ink, 1, kDashed}, Count::cpus}}},
      {"Memory of the worker",
       "B",
       1 << 20,
       {{"resident_bytes", "resident", {Colour::transfer, 1.5, kSolid}}}},
      {"Pressure: share of time in which some task waited",
       "ratio",
       0.1,
       {{"psi_cpu_ratio", "for a CPU", {Colour::cpu_op, 1.5, kSolid}},
        {"psi_io_ratio", "for a disk", {Colour::data_wait, 1.5, kDashed}},
        {"psi_memory_ratio", "for memory", {Colour::optimizer, 3, kSolid}}}},
      {"Read from disks",
       "B/s",
       1 << 20,
       {{"disk_read_rate", "by all", {Colour::backward, 1.5, kSolid}},
        {"worker_read_rate", "by the worker", {Colour::ink, 1, kDashed}}}},
      {"CPU clock",
       "Hz",
       1e6,
       {{"cpu_clock", "mean", {Colour::other, 1.5, kSolid}},
        {"cpu_base_clock", "without turbo", {Colour::ink, 1, kDashed}}}},
      {"GPU in use",
       "ratio",
       0.1,
       {{"gpu_util_ratio", "some kernel ran", {Colour::forward, 1.5, kSolid}},
        {"gpu_sm_util_ratio", "SMs", {Colour::ink, 1, kDashed}}}},
      {"GPU memory",
       "B",
       1 << 20,
       {{"gpu_memory_bytes", "in use", {Colour::transfer, 1.5, kSolid}}}},
      {"GPU power",
       "W",
       1,
       {{"gpu_power", "drawn", {Colour::data_wait, 1.5, kSolid}},
        {"gpu_power_limit", "limit", {Colour::ink, 1, kDashed}}}},
      {"GPU slowed down: share of time",
       "ratio",
       0.1,
       {{"gpu_power_cap_time_ratio", "for its power limit", {Colour::data_wait, 1.5, kSolid}},
        {"gpu_software_thermal_time_ratio", "for heat", {Colour::backward, 1.5, kDashed}},
        {"gpu_hardware_thermal_time_ratio", "by its hardware", {Colour::optimizer, 3, kSolid}}}},
      {"GPU clock",
       "Hz",
       1e6,
       {{"gpu_sm_clock", "of the SMs", {Colour::other, 1.5, kSolid}},
        {"gpu_max_sm_clock", "highest", {Colour::ink, 1, kDashed}}}},
      {"PCIe of the GPU",
       "B/s",
       1 << 20,
       {{"gpu_pcie_receive_rate", "to the GPU", {Colour::transfer, 1.5, kSolid}},
        {"gpu_pcie_send_rate", "from the GPU", {Colour::ink, 1, kDashed}}}},
      {"NVLink of the GPU",
       "B/s",
       1 << 20,
       {{"gpu_nvlink_receive_rate", "to the GPU", {Colour::transfer, 1.5, kSolid}},
        {"gpu_nvlink_send_rate", "from the GPU", {Colour::ink, 1, kDashed}}}}};
  return all;
}

std::vector<CurvePiece> pieces_of(const TrialTelemetry& trial, const ChartLine& line) {
  std::vector<CurvePiece> pieces;
  const SeriesSummary* const series = trial.find(line.id);
  if (series == nullptr || !has_value(series->curve)) {
    return pieces;
  }
  const double factor = factor_of(trial, line);
  const std::size_t points = std::min(trial.times_s.size(), series->curve.size());
  pieces.reserve(points);
  double begin_s = 0;
  for (std::size_t i = 0; i < points; ++i) {
    const double end_s = trial.times_s[i];
    if (!std::isfinite(end_s) || end_s <= begin_s) {
      continue;
    }
    const double value = series->curve[i] * factor;
    pieces.push_back({begin_s, end_s, std::isfinite(value) ? std::optional(value) : std::nullopt});
    begin_s = end_s;
  }
  return pieces;
}

std::optional<double> mean_of(const TrialTelemetry& trial, const ChartLine& line) {
  const SeriesSummary* const series = trial.find(line.id);
  if (series == nullptr || !series->mean) {
    return std::nullopt;
  }
  return *series->mean * factor_of(trial, line);
}

}  // namespace tune::report
