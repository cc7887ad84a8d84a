#include "measure/doctor/observation.h"

#include "base/clock.h"
#include "machine/container.h"
#include "machine/cpu_list.h"
#include "machine/gpu_driver.h"
#include "machine/nvml.h"
#include "machine/telemetry/host_sources.h"
#include "machine/telemetry/sampler.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <memory>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

namespace tune::doctor {

namespace {

constexpr std::size_t kMostProcesses = 5;

std::int64_t process_cpu_ns() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

// Reads the sources at both ends of the window, and in between where it is long.
telemetry::TrialTelemetry watch(const ObserveOptions& options, const std::vector<int>& cpus) {
  const auto owned = telemetry::make_host_sources(cpus, options.root);
  std::vector<telemetry::Source*> sources;
  sources.reserve(owned.size());
  for (const auto& source : owned) {
    sources.push_back(source.get());
  }
  constexpr std::int64_t kPeriodNs = 200'000'000;
  telemetry::Sampler sampler(sources, {.period_ns = kPeriodNs});
  const std::int64_t begin_ns = monotonic_ns();
  std::this_thread::sleep_for(std::chrono::nanoseconds(options.window_ns));
  const telemetry::Span window{begin_ns, monotonic_ns()};
  return summarise(sampler.stop(), window, window, kPeriodNs);
}

Gpus read_gpus(const ObserveOptions& options) {
  Gpus gpus;
  const machine::Nvml library(options.nvml_library);
  gpus.problem = library.problem();
  gpus.driver = machine::read_gpu_driver(library);
  std::vector<std::string> uuids;
  uuids.reserve(library.gpus().size());
  for (const machine::Nvml::Gpu& gpu : library.gpus()) {
    gpus.states.push_back(machine::read_gpu_state(library, gpu));
    uuids.push_back(gpu.uuid);
  }
  gpus.visible = machine::visible_gpus(options.visible_devices, uuids).size();
  gpus.in_use = machine::find_used_gpu(library, options.visible_devices).index;
  return gpus;
}

std::optional<std::int64_t> most_open_files() {
  rlimit limit{};
  constexpr rlim_t kMost = 1 << 30;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) {
    return std::nullopt;
  }
  return static_cast<std::int64_t>(std::min(limit.rlim_cur, kMost));  // no limit is a large one
}

}  // namespace

Observation observe(const ObserveOptions& options) {
  Observation seen;
  seen.machine = machine::read_machine_facts(options.root);
  seen.policy = machine::read_cpu_policy(options.root);
  seen.memory = machine::read_memory_state(options.root);
  seen.container = machine::read_container(options.root);
  seen.shared_memory = machine::file_space(options.root / "dev/shm");
  seen.oom_kills = machine::read_oom_kills(options.root);
  seen.most_open_files = most_open_files();
  seen.folders = options.folders;
  for (UsedFolder& folder : seen.folders) {
    folder.space = machine::file_space(folder.path);
  }
  seen.gpus = read_gpus(options);

  const std::vector<int> cpus = machine::allowed_cpus();
  const auto before = machine::read_process_times(options.root);
  const std::int64_t begin_ns = monotonic_ns(), begin_cpu_ns = process_cpu_ns();
  seen.window = watch(options, cpus);
  const std::int64_t elapsed_ns = std::max<std::int64_t>(1, monotonic_ns() - begin_ns);
  seen.window.cpus = static_cast<std::int64_t>(cpus.size());
  seen.window_s = static_cast<double>(elapsed_ns) * 1e-9;
  seen.own_cpus =
      static_cast<double>(process_cpu_ns() - begin_cpu_ns) / static_cast<double>(elapsed_ns);
  const auto after = machine::read_process_times(options.root);
  seen.busiest = machine::busiest(before, after, elapsed_ns, getpid(), kMostProcesses);
  return seen;
}

Reading reading(const Observation& observation, const char* series) {
  const telemetry::SeriesSummary* const found = observation.window.find(series);
  if (found == nullptr) {
    return {std::nullopt, "not recorded"};
  }
  return {found->mean, found->reason};
}

}  // namespace tune::doctor
