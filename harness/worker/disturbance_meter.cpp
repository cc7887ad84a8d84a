#include "worker/disturbance_meter.h"

#include "worker/usable_cpus.h"

#include <algorithm>

namespace tune::worker {

DisturbanceMeter::DisturbanceMeter(bool counts_instructions, const std::vector<int>& companions)
    : cpus_(usable_cpus()),
      process_before_(process_.read()),
      clocks_(usable_cpus()),
      cpus_before_(cpus_.read()),
      pressure_before_(pressure_.read()),
      throttled_before_(clocks_.throttle_events()),
      mhz_before_(clocks_.mean_mhz()) {
  if (counts_instructions) {
    instructions_.emplace();
    instructions_before_ = instructions_->read();
  }
  companions_.reserve(companions.size());
  for (const int process : companions) {
    companions_.push_back(std::make_unique<machine::ForeignProcessReader>(process));
  }
  companions_before_ns_ = companions_cpu_ns();
}

std::int64_t DisturbanceMeter::companions_cpu_ns() {
  std::int64_t sum_ns = 0;
  for (const auto& companion : companions_) {
    const machine::ForeignUsage used = companion->read();
    sum_ns += used.user_ns.value_or(0) + used.system_ns.value_or(0);
  }
  return sum_ns;
}

trial::Disturbance DisturbanceMeter::read() {
  const machine::ProcessUsage process_now = process_.read();
  const std::optional<machine::CpuUsage> cpus_now = cpus_.read();
  machine::ProcessUsage used = machine::difference(process_before_, process_now);
  const std::int64_t companions_now_ns = companions_cpu_ns();
  used.cpu_ns += std::max<std::int64_t>(0, companions_now_ns - companions_before_ns_);
  companions_before_ns_ = companions_now_ns;
  trial::Disturbance seen;
  seen.minor_faults = used.minor_faults;
  seen.major_faults = used.major_faults;
  seen.voluntary_switches = used.voluntary_switches;
  seen.involuntary_switches = used.involuntary_switches;
  seen.own_cpu_ns = used.cpu_ns;
  seen.run_delay_ns = used.run_delay_ns;
  seen.main_run_delay_ns = used.main_run_delay_ns;
  seen.other_cpu_ns = machine::other_cpu_ns(cpus_before_, cpus_now, used.cpu_ns);
  seen.idle_cpu_ns = machine::idle_cpu_ns(cpus_before_, cpus_now);
  seen.steal_ns = machine::steal_ns(cpus_before_, cpus_now);
  const machine::Pressure pressure_now = pressure_.read();
  const machine::Pressure waited = machine::difference(pressure_before_, pressure_now);
  seen.pressure_cpu_ns = waited.cpu_ns;
  seen.pressure_io_ns = waited.io_ns;
  seen.resident_bytes = memory_.read_bytes();
  if (instructions_) {
    const std::optional<std::int64_t> counted = instructions_->read();
    if (counted && instructions_before_) {
      seen.instructions = *counted - *instructions_before_;
    }
    instructions_before_ = counted;
  }
  read_clocks(seen);
  process_before_ = process_now;
  pressure_before_ = pressure_now;
  cpus_before_ = cpus_now;
  return seen;
}

void DisturbanceMeter::read_clocks(trial::Disturbance& seen) {
  const auto throttled_now = clocks_.throttle_events();
  const auto mhz_now = clocks_.mean_mhz();
  if (throttled_before_ && throttled_now) {
    seen.throttle_events = std::max<std::int64_t>(0, *throttled_now - *throttled_before_);
  }
  if (mhz_before_ && mhz_now) {
    seen.mean_mhz = (*mhz_before_ + *mhz_now) / 2;
  }
  throttled_before_ = throttled_now;
  mhz_before_ = mhz_now;
}

}  // namespace tune::worker
