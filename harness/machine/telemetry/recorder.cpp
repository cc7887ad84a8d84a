#include "machine/telemetry/recorder.h"

#include "base/error.h"
#include "base/file.h"
#include "machine/cpu_list.h"
#include "machine/gpu_driver.h"
#include "machine/telemetry/gpu_source.h"
#include "machine/telemetry/host_sources.h"
#include "machine/telemetry/telemetry_json.h"

#include <utility>

namespace tune::telemetry {

namespace {

std::vector<std::string> uuids_of(const machine::Nvml& nvml) {
  std::vector<std::string> uuids;
  uuids.reserve(nvml.gpus().size());
  for (const machine::Nvml::Gpu& gpu : nvml.gpus()) {
    uuids.push_back(gpu.uuid);
  }
  return uuids;
}

std::string why_no_gpu(const machine::Nvml& nvml, const std::optional<std::string>& visible) {
  if (nvml.gpus().empty()) {
    return nvml.problem();
  }
  return visible && visible->find("MIG-") != std::string::npos
             ? "CUDA_VISIBLE_DEVICES names a part of a GPU (MIG), for which NVML counts nothing"
             : "CUDA_VISIBLE_DEVICES hides every GPU";
}

}  // namespace

Recorder::Recorder(RecorderOptions options)
    : options_(std::move(options)),
      cpus_(machine::allowed_cpus()),
      nvml_(options_.nvml_library),
      gpus_(machine::visible_gpus(options_.visible_devices, uuids_of(nvml_))),
      host_(make_host_sources(cpus_, options_.root)) {
  if (gpus_.empty()) {
    host_.push_back(std::make_unique<NoGpuSource>(why_no_gpu(nvml_, options_.visible_devices)));
  }
}

std::unique_ptr<Recording> Recorder::begin(int process, std::int64_t gpus) {
  const auto wanted = static_cast<std::size_t>(std::max<std::int64_t>(gpus, 1));
  return std::make_unique<Recording>(
      *this, process, options_.of_all_gpus ? gpus_.size() : std::min(gpus_.size(), wanted));
}

Recording::Recording(Recorder& recorder, int process, std::size_t gpus)
    : recorder_(recorder), process_(process, recorder.options_.root) {
  gpus_.reserve(gpus);
  for (std::size_t i = 0; i < gpus; ++i) {
    gpus_.push_back(
        std::make_unique<GpuSource>(recorder.nvml_, recorder.nvml_.gpus()[recorder.gpus_[i]]));
  }
  sampler_ = std::make_unique<Sampler>(sources(), recorder.options_.sampler);
}

std::vector<Source*> Recording::sources() {
  std::vector<Source*> all = {&process_};
  all.reserve(1 + recorder_.host_.size() + gpus_.size());
  for (const auto* owned : {&recorder_.host_, &gpus_}) {
    for (const std::unique_ptr<Source>& source : *owned) {
      all.push_back(source.get());
    }
  }
  return all;
}

TrialTelemetry Recording::end(Span trial, std::optional<Span> window) {
  TrialTelemetry telemetry =
      summarise(sampler_->stop(), trial, window, recorder_.options_.sampler.period_ns);
  telemetry.cpus = static_cast<std::int64_t>(recorder_.cpus_.size());
  return telemetry;
}

void keep(const TrialTelemetry& telemetry, const std::filesystem::path& folder) {
  try {
    write_file_synced(folder / kTelemetryFile, to_json(telemetry));
  } catch (const Error&) {
    std::error_code ignored;
    std::filesystem::remove(folder / kTelemetryFile, ignored);
  }
}

}  // namespace tune::telemetry
