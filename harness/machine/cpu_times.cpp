#include "machine/cpu_times.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <unistd.h>

namespace tune::machine {

namespace {

constexpr std::size_t kMostCpus = 8192;

// "cpu3 user nice system idle iowait irq softirq steal guest guest_nice", in ticks; guest time is
// part of user. Returns false for a line of anything else.
bool parse_line(std::string_view line, std::int64_t tick_ns, CpuTimes& times) {
  constexpr std::int64_t kMost = 1'000'000'000'000;  // 300 years of ticks
  const char* const end = line.data() + line.size();
  auto read = std::from_chars(line.data() + 3, end, times.cpu);
  if (read.ec != std::errc() || times.cpu < 0) {
    return false;  // the first line is their sum
  }
  std::array<std::int64_t, 8> ticks{};
  for (std::int64_t& count : ticks) {
    const char* const at = std::find_if(read.ptr, end, [](char c) { return c != ' '; });
    read = std::from_chars(at, end, count);
    if (read.ec != std::errc() || count < 0 || count > kMost) {
      return false;
    }
  }
  const auto& [user, nice, system, idle, io_wait, irq, soft_irq, steal] = ticks;
  times.system_ns = (system + irq + soft_irq) * tick_ns;
  times.busy_ns = (user + nice) * tick_ns + times.system_ns;
  times.io_wait_ns = io_wait * tick_ns;
  times.steal_ns = steal * tick_ns;
  return true;
}

}  // namespace

const std::vector<CpuTimes>& CpuTimesReader::read() {
  cpus_.clear();
  const std::int64_t tick_ns = 1'000'000'000 / std::max(1L, sysconf(_SC_CLK_TCK));
  std::string_view text = file_.read();
  while (text.starts_with("cpu") && cpus_.size() < kMostCpus) {
    const std::size_t end = text.find('\n');
    CpuTimes times;
    if (parse_line(text.substr(0, end), tick_ns, times)) {
      cpus_.push_back(times);
    }
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return cpus_;
}

}  // namespace tune::machine
