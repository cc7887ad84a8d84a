#pragma once

#include "machine/cpu_usage.h"
#include "machine/process_usage.h"
#include "trial/trial_reply.h"

namespace tune::worker {

/// What else happened on our CPUs. To be made when the CPU affinity is settled.
class DisturbanceMeter {
 public:
  DisturbanceMeter();

  /// Since the last call, or since it was made.
  trial::Disturbance read();

 private:
  machine::ProcessUsageReader process_;
  machine::CpuUsageReader cpus_;
  machine::ProcessUsage process_before_;
  std::optional<machine::CpuUsage> cpus_before_;
};

}  // namespace tune::worker
