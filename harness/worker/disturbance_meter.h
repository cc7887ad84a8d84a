#pragma once

#include "machine/cpu_clocks.h"
#include "machine/cpu_usage.h"
#include "machine/instruction_counter.h"
#include "machine/memory.h"
#include "machine/pressure.h"
#include "machine/process_usage.h"
#include "trial/trial_reply.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace tune::worker {

/// Measures what else happens on our CPUs. Must be created after the CPU affinity is set.
class DisturbanceMeter {
 public:
  /// `companions`: processes that belong to us, whose CPU time is ours too; their instructions are
  /// not counted.
  explicit DisturbanceMeter(bool counts_instructions, const std::vector<int>& companions = {});

  /// Since the last call, or since construction.
  trial::Disturbance read();

 private:
  void read_clocks(trial::Disturbance& seen);
  std::int64_t companions_cpu_ns();

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
  std::vector<std::unique_ptr<machine::ForeignProcessReader>> companions_;
  std::int64_t companions_before_ns_ = 0;
};

}  // namespace tune::worker
