#include "machine/process_usage.h"

#include <ctime>
#include <sys/resource.h>

namespace tune::machine {

ProcessUsage ProcessUsageReader::read() {
  ProcessUsage usage;
  rusage own{};
  getrusage(RUSAGE_SELF, &own);
  usage.minor_faults = own.ru_minflt;
  usage.major_faults = own.ru_majflt;
  usage.voluntary_switches = own.ru_nvcsw;
  usage.involuntary_switches = own.ru_nivcsw;
  timespec cpu{};  // finer than rusage's microseconds
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
  usage.cpu_ns = static_cast<std::int64_t>(cpu.tv_sec) * 1'000'000'000 + cpu.tv_nsec;
  if (const auto delay = run_delay_.read()) {
    usage.run_delay_ns = delay->delay_ns;
    usage.main_run_delay_ns = delay->main_delay_ns;
  }
  return usage;
}

ProcessUsage difference(const ProcessUsage& before, const ProcessUsage& after) {
  ProcessUsage usage;
  usage.minor_faults = after.minor_faults - before.minor_faults;
  usage.major_faults = after.major_faults - before.major_faults;
  usage.voluntary_switches = after.voluntary_switches - before.voluntary_switches;
  usage.involuntary_switches = after.involuntary_switches - before.involuntary_switches;
  usage.cpu_ns = after.cpu_ns - before.cpu_ns;
  if (before.run_delay_ns && after.run_delay_ns) {
    usage.run_delay_ns = *after.run_delay_ns - *before.run_delay_ns;
  }
  if (before.main_run_delay_ns && after.main_run_delay_ns) {
    usage.main_run_delay_ns = *after.main_run_delay_ns - *before.main_run_delay_ns;
  }
  return usage;
}

}  // namespace tune::machine
