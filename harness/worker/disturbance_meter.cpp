#include "worker/disturbance_meter.h"

#include "machine/cpu_list.h"

namespace tune::worker {

DisturbanceMeter::DisturbanceMeter()
    : cpus_(machine::allowed_cpus()),
      process_before_(process_.read()),
      cpus_before_(cpus_.read()) {}

trial::Disturbance DisturbanceMeter::read() {
  const machine::ProcessUsage process_now = process_.read();
  const std::optional<machine::CpuUsage> cpus_now = cpus_.read();
  const machine::ProcessUsage used = machine::difference(process_before_, process_now);
  trial::Disturbance seen;
  seen.minor_faults = used.minor_faults;
  seen.major_faults = used.major_faults;
  seen.voluntary_switches = used.voluntary_switches;
  seen.involuntary_switches = used.involuntary_switches;
  seen.own_cpu_ns = used.cpu_ns;
  seen.run_delay_ns = used.run_delay_ns;
  seen.other_cpu_ns = machine::other_cpu_ns(cpus_before_, cpus_now, used.cpu_ns);
  seen.steal_ns = machine::steal_ns(cpus_before_, cpus_now);
  process_before_ = process_now;
  cpus_before_ = cpus_now;
  return seen;
}

}  // namespace tune::worker
