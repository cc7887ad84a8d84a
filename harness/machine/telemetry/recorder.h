#pragma once

#include "machine/nvml.h"
#include "machine/telemetry/host_sources.h"
#include "machine/telemetry/sampler.h"
#include "machine/telemetry/summary.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tune::telemetry {

struct RecorderOptions {
  std::filesystem::path root = "/";
  std::string nvml_library = "libnvidia-ml.so.1";
  /// CUDA_VISIBLE_DEVICES of the workers; nothing: not set.
  std::optional<std::string> visible_devices;
  /// A worker uses the first that it sees; a script may use them all.
  bool of_all_gpus = false;
  SamplerOptions sampler;
};

class Recording;

/// Records the machine while trials run, one after the other. Made once: finding sensors and
/// starting NVML takes up to a second where there is a GPU.
class Recorder {
 public:
  explicit Recorder(RecorderOptions options = {});

  /// Begins after a worker was started and before it touches a GPU. One at a time; this object must
  /// outlive it. `gpus`: how many the trial uses, the first that are visible.
  std::unique_ptr<Recording> begin(int process, std::int64_t gpus = 1);

 private:
  friend class Recording;

  RecorderOptions options_;
  std::vector<int> cpus_;
  machine::Nvml nvml_;
  std::vector<std::size_t> gpus_;  // indices into nvml_.gpus(), in CUDA's order
  std::vector<std::unique_ptr<Source>> host_;
};

/// One trial.
class Recording {
 public:
  Recording(Recorder& recorder, int process, std::size_t gpus);

  /// Marks the start or end of the measured window: reads at once, so that its edge is known.
  void mark_edge() { sampler_->sample_soon(); }

  /// Ends the recording. `window` is the measured window, if the trial reached it.
  TrialTelemetry end(Span trial, std::optional<Span> window);

 private:
  std::vector<Source*> sources();

  Recorder& recorder_;
  ProcessSource process_;
  std::vector<std::unique_ptr<Source>> gpus_;
  std::unique_ptr<Sampler> sampler_;  // last, because it uses the others
};

/// Writes telemetry.json into a trial's folder. Telemetry explains a trial but decides nothing:
/// what cannot be written is left out, and the reader notices.
void keep(const TrialTelemetry& telemetry, const std::filesystem::path& folder);

}  // namespace tune::telemetry
