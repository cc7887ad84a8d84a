#include "worker/script/script_disturbance.h"

#include "base/clock.h"
#include "machine/cpu_list.h"
#include "machine/process_tree.h"

#include <algorithm>
#include <cstdlib>
#include <unistd.h>

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

std::vector<int> usable_cpus(const trial::TrialSpec& spec) {
  const auto* const list = std::get_if<std::string>(&spec.knobs.at("cpu_affinity"));
  const auto asked = machine::parse_cpu_list(list == nullptr ? "" : *list);
  return asked && !asked->empty() ? *asked : machine::allowed_cpus();
}

std::vector<trial::Disturbance> spread_over(std::span<const trial::Slice> ended,
                                            const trial::Disturbance& seen,
                                            std::int64_t span_ns) {
  std::vector<trial::Disturbance> spread(ended.size());
  if (spread.empty()) {
    return spread;
  }
  spread.back() = seen;
  for (std::size_t i = 0; i < ended.size(); ++i) {
    const auto part = [&](const Amount& all_ns) {
      return all_ns && span_ns > 0
                 ? Amount(static_cast<std::int64_t>(static_cast<double>(*all_ns) *
                                                    static_cast<double>(ended[i].wall_ns) /
                                                    static_cast<double>(span_ns)))
                 : std::nullopt;
    };
    spread[i].other_cpu_ns = part(seen.other_cpu_ns);
    spread[i].idle_cpu_ns = part(seen.idle_cpu_ns);
    spread[i].steal_ns = part(seen.steal_ns);
  }
  return spread;
}

ScriptDisturbance::ScriptDisturbance(std::int64_t process, const trial::TrialSpec& spec)
    : training_(static_cast<int>(process)),
      process_(training_),
      cpus_(usable_cpus(spec)),
      clocks_(usable_cpus(spec)) {
  if (spec.measure.instructions) {
    instructions_.emplace(training_);
  }
  before_ = count();
}

ScriptDisturbance::Counters ScriptDisturbance::count() {
  const bool looks_at_others = std::getenv("TUNE_IGNORE_OTHERS") == nullptr;
  return {
      .time_ns = monotonic_ns(),
      .process = process_.read(),
      .pressure = pressure_.read(),
      .cpus = cpus_.read(),
      .family_cpu_ns = looks_at_others ? machine::family_cpu_ns(getpid(), training_) : std::nullopt,
      .throttle_events = clocks_.throttle_events(),
      .instructions = instructions_ ? instructions_->read() : std::nullopt};
}

std::vector<trial::Disturbance> ScriptDisturbance::read(std::span<const trial::Slice> ended) {
  using machine::RunDelay;
  const Counters now_all = count();
  const machine::ForeignUsage& now = now_all.process;
  const machine::ForeignUsage& before = before_.process;
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
  if (const Amount family_ns = rise(before_.family_cpu_ns, now_all.family_cpu_ns)) {
    seen.other_cpu_ns = machine::other_cpu_ns(before_.cpus, now_all.cpus, *family_ns);
  }
  seen.idle_cpu_ns = machine::idle_cpu_ns(before_.cpus, now_all.cpus);
  seen.steal_ns = machine::steal_ns(before_.cpus, now_all.cpus);
  const machine::Pressure waited = machine::difference(before_.pressure, now_all.pressure);
  seen.pressure_cpu_ns = waited.cpu_ns;
  seen.pressure_io_ns = waited.io_ns;
  seen.throttle_events = rise(before_.throttle_events, now_all.throttle_events);
  seen.instructions = rise(before_.instructions, now_all.instructions);
  const std::int64_t span_ns = now_all.time_ns - before_.time_ns;
  before_ = now_all;
  return spread_over(ended, seen, span_ns);
}

}  // namespace tune::script
