#include "machine/cpu_usage.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <fcntl.h>
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

namespace {

// The columns of a line "cpu3 user nice system idle iowait irq softirq steal guest guest_nice";
// guest time is part of user.
constexpr std::size_t kColumns = 8;
using Columns = std::array<std::int64_t, kColumns>;

struct Line {
  int cpu = -1;
  Columns ticks{};
};

// Reads one line; cpu is -1 when it is not the line of a single CPU.
Line parse_line(std::string_view line) {
  Line parsed;
  if (!line.starts_with("cpu")) {
    return parsed;
  }
  const char* at = line.data() + 3;
  const char* const end = line.data() + line.size();
  int cpu = -1;
  auto read = std::from_chars(at, end, cpu);
  if (read.ec != std::errc() || cpu < 0) {
    return parsed;  // the first line is their sum
  }
  for (std::int64_t& ticks : parsed.ticks) {
    at = std::find_if(read.ptr, end, [](char c) { return c != ' '; });
    read = std::from_chars(at, end, ticks);
    constexpr std::int64_t kMost = 1'000'000'000'000;  // 300 years of ticks
    if (read.ec != std::errc() || ticks < 0 || ticks > kMost) {
      return parsed;
    }
  }
  parsed.cpu = cpu;
  return parsed;
}

}  // namespace

CpuUsageReader::CpuUsageReader(std::vector<int> cpus, const std::filesystem::path& root)
    : cpus_(std::move(cpus)),
      file_(open((root / "proc/stat").c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
  std::sort(cpus_.begin(), cpus_.end());
  // The lines of the CPUs come first; the rest is not needed.
  constexpr std::size_t kLongestLine = 256;
  text_.resize((cpus_.empty() ? 0 : static_cast<std::size_t>(cpus_.back()) + 2) * kLongestLine);
}

CpuUsageReader::~CpuUsageReader() {
  if (file_ >= 0) {
    close(file_);
  }
}

std::optional<CpuUsage> CpuUsageReader::read() {
  ssize_t got = -1;
  do {
    got = pread(file_, text_.data(), text_.size(), 0);
  } while (got < 0 && errno == EINTR);
  if (got <= 0 || cpus_.empty()) {
    return std::nullopt;
  }
  const std::int64_t tick_ns = 1'000'000'000 / std::max(1L, sysconf(_SC_CLK_TCK));
  CpuUsage usage;
  std::size_t found = 0;
  std::string_view text(text_.data(), static_cast<std::size_t>(got));
  while (text.starts_with("cpu")) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1);
    const Line line = parse_line(text.substr(0, end));
    if (line.cpu >= 0 && std::binary_search(cpus_.begin(), cpus_.end(), line.cpu)) {
      const auto& [user, nice, system, idle, io_wait, irq, soft_irq, steal] = line.ticks;
      usage.busy_ns += (user + nice + system + irq + soft_irq) * tick_ns;
      usage.idle_ns += (idle + io_wait) * tick_ns;
      usage.steal_ns += steal * tick_ns;
      ++found;
    }
    text.remove_prefix(end + 1);
  }
  return found == cpus_.size() ? std::optional(usage) : std::nullopt;
}

std::optional<std::int64_t> other_cpu_ns(const std::optional<CpuUsage>& before,
                                         const std::optional<CpuUsage>& after,
                                         std::int64_t own_cpu_ns) {
  if (!before || !after) {
    return std::nullopt;
  }
  return std::max<std::int64_t>(0, after->busy_ns - before->busy_ns - own_cpu_ns);
}

namespace {

std::optional<std::int64_t> rise(const std::optional<CpuUsage>& before,
                                 const std::optional<CpuUsage>& after,
                                 std::int64_t CpuUsage::*part) {
  if (!before || !after) {
    return std::nullopt;
  }
  return std::max<std::int64_t>(0, (*after).*part - (*before).*part);
}

}  // namespace

std::optional<std::int64_t> idle_cpu_ns(const std::optional<CpuUsage>& before,
                                        const std::optional<CpuUsage>& after) {
  return rise(before, after, &CpuUsage::idle_ns);
}

std::optional<std::int64_t> steal_ns(const std::optional<CpuUsage>& before,
                                     const std::optional<CpuUsage>& after) {
  return rise(before, after, &CpuUsage::steal_ns);
}

}  // namespace tune::machine
