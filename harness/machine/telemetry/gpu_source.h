#pragma once

#include "machine/nvml_device.h"
#include "machine/telemetry/series.h"

#include <string>

namespace tune::telemetry {

/// The series of a GPU, all without values for this reason.
std::vector<SeriesInfo> missing_gpu_series(const std::string& reason);

/// One GPU, labelled by its UUID.
class GpuSource : public Source {
 public:
  /// Both must outlive this object.
  GpuSource(const machine::Nvml& library, const machine::Nvml::Gpu& gpu);

  void sample(std::int64_t now_ns, std::span<double> values) override;

 private:
  void read_constants(const std::string& uuid, const machine::GpuValue& util);
  void recount_strangers(std::int64_t now_ns, const machine::GpuValue& util);

  machine::NvmlDevice device_;
  std::vector<double> constants_;  // the last series: limits, then foreign use
  std::int64_t begin_ns_ = 0;
};

/// Stands in when there are no GPUs.
class NoGpuSource : public Source {
 public:
  explicit NoGpuSource(const std::string& reason) { series_ = missing_gpu_series(reason); }
  void sample(std::int64_t /*now_ns*/, std::span<double> /*values*/) override {}
};

}  // namespace tune::telemetry
