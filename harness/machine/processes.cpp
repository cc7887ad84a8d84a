#include "machine/processes.h"

#include "machine/text_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <limits>
#include <optional>
#include <string_view>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace tune::machine {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostProcesses = 100'000;

// "12 (a b) S 1 ..." : the fields after the name, from the state (the third) on. Names may contain
// spaces and brackets, so the last bracket counts.
std::optional<ProcessTime> parse_stat(std::string_view text) {
  const std::size_t open = text.find('(');
  const std::size_t close = text.rfind(')');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) {
    return std::nullopt;
  }
  constexpr std::size_t kUser = 11, kSystem = 12, kStarted = 19;  // proc(5): fields 14, 15 and 22
  std::array<std::int64_t, kStarted + 1> fields{};
  std::string_view rest = trimmed(text.substr(close + 1));
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    const bool is_needed = i == kUser || i == kSystem || i == kStarted;
    const auto number = to_number(rest.substr(0, end));
    if (is_needed && !number) {
      return std::nullopt;
    }
    fields[i] = number.value_or(0);
    rest = trimmed(rest.substr(end));
  }
  const std::int64_t tick_ns = 1'000'000'000 / std::max(1L, sysconf(_SC_CLK_TCK));
  const std::int64_t most = std::numeric_limits<std::int64_t>::max() / 4 / tick_ns;
  ProcessTime time;
  time.name = std::string(text.substr(open + 1, close - open - 1));
  time.started = fields[kStarted];
  time.cpu_ns = (std::min(fields[kUser], most) + std::min(fields[kSystem], most)) * tick_ns;
  return time;
}

}  // namespace

std::map<int, ProcessTime> read_process_times(const fs::path& root) {
  std::map<int, ProcessTime> times;
  std::error_code problem;
  for (fs::directory_iterator at(root / "proc", problem), end;
       !problem && at != end && times.size() < kMostProcesses;
       at.increment(problem)) {
    const auto process = to_number(at->path().filename().string());
    constexpr std::int64_t kMostId = 1 << 22;  // the kernel's own limit
    if (!process || *process > kMostId) {
      continue;
    }
    if (const auto time = parse_stat(read_text(at->path() / "stat", 1024))) {
      times.emplace(static_cast<int>(*process), *time);
    }
  }
  return times;
}

std::vector<BusyProcess> busiest(const std::map<int, ProcessTime>& before,
                                 const std::map<int, ProcessTime>& after,
                                 std::int64_t elapsed_ns,
                                 int own,
                                 std::size_t count) {
  constexpr double kLeast = 0.01;
  std::vector<BusyProcess> busy;
  for (const auto& [process, now] : after) {
    const auto then = before.find(process);
    const bool is_the_same = then != before.end() && then->second.started == now.started;
    const std::int64_t used_ns = now.cpu_ns - (is_the_same ? then->second.cpu_ns : 0);
    const double cpus =
        static_cast<double>(used_ns) / static_cast<double>(std::max<std::int64_t>(1, elapsed_ns));
    if (process != own && cpus >= kLeast) {
      busy.push_back({process, now.name, cpus});
    }
  }
  std::sort(busy.begin(), busy.end(), [](const BusyProcess& a, const BusyProcess& b) {
    return a.cpus != b.cpus ? a.cpus > b.cpus : a.process < b.process;
  });
  busy.resize(std::min(busy.size(), count));
  return busy;
}

std::vector<int> children_of(int process, const std::filesystem::path& root) {
  std::vector<int> children;
  std::error_code problem;
  for (std::filesystem::directory_iterator
           at(root / "proc" / std::to_string(process) / "task", problem),
       end;
       !problem && at != end;
       at.increment(problem)) {
    const std::string text = read_text(at->path() / "children");
    std::string_view words = trimmed(text);
    while (!words.empty()) {
      const std::size_t space = words.find(' ');
      if (const auto child = to_number(words.substr(0, space))) {
        children.push_back(static_cast<int>(*child));
      }
      words = space == std::string_view::npos ? std::string_view() : trimmed(words.substr(space));
    }
  }
  std::sort(children.begin(), children.end());
  return children;
}

std::vector<int> child_processes() {
  return children_of(getpid());
}

// Each killed process may leave its own children to us, hence the rounds.
void kill_children(const std::vector<int>& spared) {
  constexpr int kRounds = 100;
  for (int round = 0; round < kRounds; ++round) {
    bool found = false;
    for (const int child : child_processes()) {
      if (std::binary_search(spared.begin(), spared.end(), child) || kill(child, SIGKILL) != 0) {
        continue;
      }
      found = true;
      while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
      }
    }
    if (!found) {
      return;
    }
  }
}

}  // namespace tune::machine
