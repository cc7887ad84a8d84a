#pragma once

#include "machine/cpu_clocks.h"
#include "machine/cpu_usage.h"
#include "machine/instruction_counter.h"
#include "machine/memory.h"
#include "machine/pressure.h"
#include "machine/process_usage.h"
#include "trial/trial_reply.h"

namespace tune::worker {

/// Measures what else happens on our CPUs. Must be created after the CPU affinity is set.
class DisturbanceMeter {
 public:
  explicit DisturbanceMeter(bool counts_instructions);

  /// Since the last call, or since construction.
  trial::Disturbance read();

 private:
  void read_clocks(trial::Disturbance& seen);

  machine::ProcessUsageReader process_;
  machine::CpuUsageReader cpus_;
  machine::ProcessUsage process_before_;
  machine::PressureReader pressure_;
  machine::ResidentMemoryReader memory_;
  machine::CpuClockReader clocks_;
  std::optional<machine::InstructionCounter> instructions_;
  std::optional<std::int64_t> instructions_before_;
  std::optional<machine::CpuUsage> cpus_before_;
  machine::Pressure pressure_before_;
  std::optional<std::int64_t> throttled_before_;
  std::optional<double> mhz_before_;
};

}  // namespace tune::worker
