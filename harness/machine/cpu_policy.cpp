#include "machine/cpu_policy.h"

#include "machine/cpu_list.h"
#include "machine/text_file.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <system_error>

namespace tune::machine {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestWord = 64;

std::string word_in(const fs::path& path) {
  return std::string(trimmed(read_text(path, kLongestWord)));
}

// The value of a kernel switch: "1", "0", or nothing.
std::optional<bool> flag_in(const fs::path& path) {
  const std::string word = word_in(path);
  if (word != "0" && word != "1") {
    return std::nullopt;
  }
  return word == "1";
}

std::vector<std::string> governors_of(const fs::path& cpus) {
  std::vector<int> online =
      parse_cpu_list(trimmed(read_text(cpus / "online"))).value_or(std::vector<int>());
  if (online.empty()) {
    online.push_back(0);
  }
  std::set<std::string> found;
  for (const int cpu : online) {
    const std::string name =
        word_in(cpus / ("cpu" + std::to_string(cpu)) / "cpufreq/scaling_governor");
    if (!name.empty()) {
      found.insert(name);
    }
  }
  return {found.begin(), found.end()};
}

void read_turbo(const fs::path& cpus, CpuPolicy& policy) {
  if (const auto is_off = flag_in(cpus / "intel_pstate/no_turbo")) {
    policy.turbo = !*is_off;
    policy.turbo_file = "/sys/devices/system/cpu/intel_pstate/no_turbo";
  } else if (const auto is_on = flag_in(cpus / "cpufreq/boost")) {
    policy.turbo = is_on;
    policy.turbo_file = "/sys/devices/system/cpu/cpufreq/boost";
  }
}

void read_clocks(const fs::path& folder, CpuPolicy& policy) {
  policy.clock_source = word_in(folder / "current_clocksource");
  const std::string text = read_text(folder / "available_clocksource", 1024);
  std::string_view rest = trimmed(text);
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    policy.all_clocks.emplace_back(rest.substr(0, end));
    rest = trimmed(rest.substr(end));
  }
}

// Empty without a mains supply: the machine has no battery, or does not report it.
std::optional<bool> runs_on_battery(const fs::path& supplies) {
  constexpr std::size_t kMost = 64;
  std::optional<bool> on_battery;
  std::error_code problem;
  std::size_t seen = 0;
  for (fs::directory_iterator at(supplies, problem), end; !problem && at != end && seen < kMost;
       at.increment(problem)) {
    ++seen;
    if (word_in(at->path() / "type") == "Mains") {
      if (const auto is_online = flag_in(at->path() / "online")) {
        on_battery = on_battery.value_or(true) && !*is_online;
      }
    }
  }
  return on_battery;
}

}  // namespace

CpuPolicy read_cpu_policy(const fs::path& root) {
  const fs::path system = root / "sys/devices/system";
  const fs::path cpus = system / "cpu";
  CpuPolicy policy;
  policy.governors = governors_of(cpus);
  policy.driver = word_in(cpus / "cpu0/cpufreq/scaling_driver");
  policy.energy_preference = word_in(cpus / "cpu0/cpufreq/energy_performance_preference");
  read_turbo(cpus, policy);
  policy.shares_cores = flag_in(cpus / "smt/active");
  const std::string nodes = read_text(system / "node/online", 1024);
  if (const auto list = parse_cpu_list(trimmed(nodes)); list && !list->empty()) {
    policy.numa_nodes = static_cast<int>(list->size());
  }
  read_clocks(system / "clocksource/clocksource0", policy);
  policy.on_battery = runs_on_battery(root / "sys/class/power_supply");
  return policy;
}

}  // namespace tune::machine
