#pragma once

#include "machine/cpu_clocks.h"
#include "machine/cpu_usage.h"
#include "machine/instruction_counter.h"
#include "machine/pressure.h"
#include "machine/process_usage.h"
#include "trial/trial_reply.h"
#include "trial/trial_spec.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tune::script {

/// The CPUs that the script of a trial may use.
std::vector<int> usable_cpus(const trial::TrialSpec& spec);

/// What happened in `span_ns`, as the disturbances of the slices that ended in it. The last one has
/// it all, except for what others took of the CPUs, which is judged for each slice: all of them
/// have the same share of it.
std::vector<trial::Disturbance> spread_over(std::span<const trial::Slice> ended,
                                            const trial::Disturbance& seen,
                                            std::int64_t span_ns);

/// What happened to a script, read from outside of its process. Its loader's workers count neither
/// in what it used itself nor in what others used.
class ScriptDisturbance {
 public:
  /// `process`: the training, a descendant of this one.
  ScriptDisturbance(std::int64_t process, const trial::TrialSpec& spec);

  /// Since the last call, or since it was made: one for each slice that has ended since.
  std::vector<trial::Disturbance> read(std::span<const trial::Slice> ended);

 private:
  /// What only rises.
  struct Counters {
    std::int64_t time_ns = 0;
    machine::ForeignUsage process;
    machine::Pressure pressure;
    std::optional<machine::CpuUsage> cpus;
    std::optional<std::int64_t> family_cpu_ns, throttle_events, instructions;
  };

  Counters count();

  int training_;
  machine::ForeignProcessReader process_;
  machine::PressureReader pressure_;
  machine::CpuUsageReader cpus_;
  machine::CpuClockReader clocks_;
  std::optional<machine::InstructionCounter> instructions_;
  Counters before_;
};

}  // namespace tune::script
