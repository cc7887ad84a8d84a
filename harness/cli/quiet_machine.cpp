#include "cli/quiet_machine.h"

#include "machine/cpu_list.h"
#include "machine/cpu_usage.h"
#include "measure/campaign/taint.h"

#include <array>
#include <chrono>
#include <cstdio>
#include <optional>
#include <thread>
#include <vector>

namespace tune::cli {

namespace {

// Meanwhile this process sleeps: what is used, others use.
std::optional<double> used_by_others(machine::CpuUsageReader& reader) {
  constexpr std::chrono::milliseconds kLook(500);
  const auto before = reader.read();
  const auto begin = std::chrono::steady_clock::now();
  std::this_thread::sleep_for(kLook);
  const auto used_ns = machine::other_cpu_ns(before, reader.read(), 0);
  const auto seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin);
  return used_ns ? std::optional(static_cast<double>(*used_ns) * 1e-9 / seconds.count())
                 : std::nullopt;
}

std::string waiting_text(double used, std::size_t cpus) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "%.1f", used);
  return std::string("waiting for quiet: other programs use ") + text.data() + " of " +
         std::to_string(cpus) + " CPUs";
}

}  // namespace

void wait_for_quiet(const std::function<void(const std::string&)>& tell,
                    const std::atomic<int>& stop) {
  constexpr int kWantedLooks = 4, kMostLooks = 3600;
  const std::vector<int> cpus = machine::allowed_cpus();
  machine::CpuUsageReader reader(cpus);
  int quiet_looks = 0;
  for (int look = 0; look < kMostLooks && quiet_looks < kWantedLooks && stop.load() == 0; ++look) {
    const auto used = used_by_others(reader);
    if (!used) {
      return;
    }
    quiet_looks = *used <= campaign::most_other_cpus(cpus.size()) ? quiet_looks + 1 : 0;
    if (quiet_looks == 0) {
      tell(waiting_text(*used, cpus.size()));
    }
  }
}

}  // namespace tune::cli
