#include "worker/script/script_disturbance.h"

#include <algorithm>

namespace tune::script {

namespace {

using Amount = std::optional<std::int64_t>;

Amount rise(const Amount& before, const Amount& after) {
  return before && after ? Amount(std::max<std::int64_t>(0, *after - *before)) : std::nullopt;
}

Amount cpu_ns(const machine::ForeignUsage& usage) {
  return usage.user_ns && usage.system_ns ? Amount(*usage.user_ns + *usage.system_ns)
                                          : std::nullopt;
}

Amount delay_ns(const machine::ForeignUsage& usage, std::int64_t machine::RunDelay::*part) {
  return usage.run_delay ? Amount((*usage.run_delay).*part) : std::nullopt;
}

// A thread that started since `before` counts from the next reading.
Amount pin_cpu_ns(const machine::ForeignUsage& usage) {
  return usage.run_delay ? usage.run_delay->pin_thread_cpu_ns : std::nullopt;
}

}  // namespace

ScriptDisturbance::ScriptDisturbance(std::int64_t process, bool counts_instructions)
    : process_(static_cast<int>(process)),
      process_before_(process_.read()),
      pressure_before_(pressure_.read()) {
  if (counts_instructions) {
    instructions_.emplace(static_cast<int>(process));
    instructions_before_ = instructions_->read();
  }
}

trial::Disturbance ScriptDisturbance::read() {
  using machine::RunDelay;
  const machine::ForeignUsage now = process_.read();
  const machine::Pressure pressure = pressure_.read();
  const machine::ForeignUsage& before = process_before_;
  trial::Disturbance seen;
  seen.minor_faults = rise(before.minor_faults, now.minor_faults).value_or(0);
  seen.major_faults = rise(before.major_faults, now.major_faults).value_or(0);
  seen.own_cpu_ns = rise(cpu_ns(before), cpu_ns(now)).value_or(0);
  seen.run_delay_ns =
      rise(delay_ns(before, &RunDelay::delay_ns), delay_ns(now, &RunDelay::delay_ns));
  seen.main_run_delay_ns =
      rise(delay_ns(before, &RunDelay::main_delay_ns), delay_ns(now, &RunDelay::main_delay_ns));
  seen.pin_thread_cpu_ns = rise(pin_cpu_ns(before), pin_cpu_ns(now));
  seen.resident_bytes = now.resident_bytes;
  const machine::Pressure waited = machine::difference(pressure_before_, pressure);
  seen.pressure_cpu_ns = waited.cpu_ns;
  seen.pressure_io_ns = waited.io_ns;
  if (instructions_) {
    const Amount counted = instructions_->read();
    seen.instructions = rise(instructions_before_, counted);
    instructions_before_ = counted;
  }
  process_before_ = now;
  pressure_before_ = pressure;
  return seen;
}

}  // namespace tune::script
