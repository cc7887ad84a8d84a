#pragma once

#include "machine/run_delay.h"

#include <cstdint>
#include <filesystem>
#include <optional>

namespace tune::machine {

/// What this process, all its threads together, has done since it began.
struct ProcessUsage {
  std::int64_t minor_faults = 0, major_faults = 0;
  std::int64_t voluntary_switches = 0, involuntary_switches = 0;
  std::int64_t cpu_ns = 0;
  /// Ready to run and waiting for a CPU. Nothing when the kernel does not count it. What a thread
  /// waited that began and ended between two readings is missing.
  std::optional<std::int64_t> run_delay_ns;
  std::optional<std::int64_t> main_run_delay_ns;  ///< of the first thread alone
};

/// Meant for the edges of slices: about 1 us a thread. The kernel sums everything but the run
/// delay.
class ProcessUsageReader {
 public:
  explicit ProcessUsageReader(const std::filesystem::path& root = "/") : run_delay_("self", root) {}

  ProcessUsage read();

 private:
  RunDelayReader run_delay_;
};

/// What happened between two readings.
ProcessUsage difference(const ProcessUsage& before, const ProcessUsage& after);

}  // namespace tune::machine
