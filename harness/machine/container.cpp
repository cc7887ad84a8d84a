#include "machine/container.h"

#include "machine/text_file.h"

#include <algorithm>
#include <string>
#include <system_error>
#include <vector>

namespace tune::machine {

namespace {

namespace fs = std::filesystem;

// The group's folder below `mount` and all its parents up to the mount, innermost first. Inside a
// container the path may be meaningless; then only the mount is left.
std::vector<fs::path> chain(const fs::path& mount, std::string_view group) {
  std::vector<fs::path> folders;
  fs::path relative = fs::path(group).relative_path().lexically_normal();
  constexpr int kDeepest = 64;
  for (int depth = 0; depth < kDeepest && !relative.empty() && *relative.begin() != ".."; ++depth) {
    folders.push_back(mount / relative);
    relative = relative.parent_path();
  }
  folders.push_back(mount);
  return folders;
}

// Folders of the controller in version 1 ("4:memory:/a/b") or, when `controller` is "", of the
// group in version 2 ("0::/a/b").
std::vector<fs::path> folders_of(const fs::path& root, std::string_view controller) {
  const std::string text = read_text(root / "proc/self/cgroup");
  for (const std::string_view line : lines_of(text)) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first == std::string_view::npos ? first : first + 1);
    if (second == std::string_view::npos) {
      continue;
    }
    const std::string names = "," + std::string(line.substr(first + 1, second - first - 1)) + ",";
    if (names.find("," + std::string(controller) + ",") != std::string::npos) {
      return chain(root / "sys/fs/cgroup" / controller, line.substr(second + 1));
    }
  }
  return {};
}

template <class Number>
void lower(std::optional<Number>& limit, std::optional<Number> other) {
  if (other && (!limit || *other < *limit)) {
    limit = other;
  }
}

std::optional<double> ratio(std::string_view quota, std::string_view period) {
  const auto above = to_number(quota);
  const auto below = to_number(period);
  if (!above || !below || *above == 0 || *below == 0) {
    return std::nullopt;  // "max", -1
  }
  return static_cast<double>(*above) / static_cast<double>(*below);
}

std::optional<std::int64_t> memory_limit(const fs::path& file) {
  constexpr std::int64_t kUnlimited = std::int64_t{1} << 60;  // version 1 does not say it
  const auto bytes = to_number(read_text(file));
  return bytes && *bytes > 0 && *bytes < kUnlimited ? bytes : std::nullopt;
}

}  // namespace

CgroupLimits read_cgroup_limits(const fs::path& root) {
  CgroupLimits limits;
  for (const fs::path& folder : folders_of(root, "")) {
    const std::string max = read_text(folder / "cpu.max");
    const std::string_view words = trimmed(max);
    const std::size_t space = words.find(' ');
    if (space != std::string_view::npos) {
      lower(limits.cpus, ratio(words.substr(0, space), words.substr(space + 1)));
    }
    lower(limits.memory_bytes, memory_limit(folder / "memory.max"));
  }
  for (const fs::path& folder : folders_of(root, "cpu")) {
    lower(limits.cpus,
          ratio(read_text(folder / "cpu.cfs_quota_us"), read_text(folder / "cpu.cfs_period_us")));
  }
  for (const fs::path& folder : folders_of(root, "memory")) {
    lower(limits.memory_bytes, memory_limit(folder / "memory.limit_in_bytes"));
  }
  return limits;
}

std::optional<std::int64_t> read_oom_kills(const fs::path& root) {
  const auto first_of = [&](std::string_view controller, const char* file) {
    for (const fs::path& folder : folders_of(root, controller)) {
      const std::string text = read_text(folder / file);
      if (!text.empty()) {
        return to_number(value_of(text, "oom_kill", ' '));
      }
    }
    return std::optional<std::int64_t>();
  };
  const auto kills = first_of("", "memory.events");
  return kills ? kills : first_of("memory", "memory.oom_control");
}

std::optional<std::int64_t> read_task_limit(const fs::path& root) {
  std::optional<std::int64_t> limit;
  for (const char* const controller : {"", "pids"}) {
    for (const fs::path& folder : folders_of(root, controller)) {
      lower(limit, to_number(read_text(folder / "pids.max")));  // "max" is not a number
    }
  }
  return limit;
}

fs::path throttling_file(const fs::path& root) {
  for (const char* const controller : {"", "cpu"}) {
    for (const fs::path& folder : folders_of(root, controller)) {
      if (parse_throttled_ns(read_text(folder / "cpu.stat"))) {
        return folder / "cpu.stat";
      }
    }
  }
  return {};
}

// Version 2 counts microseconds, version 1 nanoseconds.
std::optional<std::int64_t> parse_throttled_ns(std::string_view cpu_stat) {
  constexpr std::int64_t kMostUs = std::int64_t{1} << 50;
  if (const auto us = to_number(value_of(cpu_stat, "throttled_usec", ' '))) {
    return std::min(*us, kMostUs) * 1'000;
  }
  return to_number(value_of(cpu_stat, "throttled_time", ' '));
}

namespace {

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(fs::symlink_status(path, ignored));
}

bool has_hypervisor(const fs::path& root) {
  const std::string text = read_text(root / "proc/cpuinfo");
  const std::string flags = " " + std::string(value_of(text, "flags", ':')) + " ";
  return flags.find(" hypervisor ") != std::string::npos;
}

}  // namespace

Container read_container(const fs::path& root) {
  Container container;
  container.is_container = is_there(root / ".dockerenv") || is_there(root / "run/.containerenv") ||
                           is_there(root / "run/systemd/container");
  container.is_virtual_machine = has_hypervisor(root);
  container.platform = std::string(trimmed(read_text(root / "sys/class/dmi/id/product_name", 256)));
  container.most_tasks = read_task_limit(root);
  return container;
}

}  // namespace tune::machine
