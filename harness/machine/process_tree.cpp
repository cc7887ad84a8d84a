#include "machine/process_tree.h"

#include "machine/processes.h"
#include "machine/text_file.h"

#include <algorithm>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace tune::machine {

namespace {

constexpr std::size_t kMostDescendants = 128;  // each keeps some files open
constexpr std::int64_t kLookEveryNs = 1'000'000'000;

using Count = std::optional<std::int64_t>;

void add(Count& total, const Count& more) {
  if (total && more) {
    *total += *more;
  }
}

void add_counters(ForeignUsage& total, const ForeignUsage& more) {
  add(total.user_ns, more.user_ns);
  add(total.system_ns, more.system_ns);
  add(total.minor_faults, more.minor_faults);
  add(total.major_faults, more.major_faults);
  add(total.read_bytes, more.read_bytes);
  add(total.written_bytes, more.written_bytes);
  if (total.run_delay && more.run_delay) {
    total.run_delay->delay_ns += more.run_delay->delay_ns;
    total.run_delay->turns += more.run_delay->turns;
    total.run_delay->main_delay_ns += more.run_delay->main_delay_ns;
    if (const Count& pinned = more.run_delay->pin_thread_cpu_ns) {
      total.run_delay->pin_thread_cpu_ns = total.run_delay->pin_thread_cpu_ns.value_or(0) + *pinned;
    }
  }
}

ForeignUsage zero() {
  ForeignUsage usage;
  usage.user_ns = usage.system_ns = usage.minor_faults = usage.major_faults = 0;
  usage.read_bytes = usage.written_bytes = 0;
  usage.run_delay.emplace();
  return usage;
}

// The process first.
std::vector<int> family_of(int process, const std::filesystem::path& root) {
  std::vector<int> family = {process};
  for (std::size_t at = 0; at < family.size() && at < kMostDescendants; ++at) {
    for (const int child : children_of(family[at], root)) {
      if (std::find(family.begin(), family.end(), child) == family.end()) {
        family.push_back(child);
      }
    }
  }
  return family;
}

// By the first word of its command: of a script that names Python in its first line, too.
bool is_python(int process, const std::filesystem::path& root) {
  const std::string words = read_text(root / "proc" / std::to_string(process) / "cmdline");
  return std::filesystem::path(words.c_str()).filename().string().starts_with("python");
}

// "Uid:\t0\t65534\t65534\t65534": real, effective, saved, of files.
std::optional<std::int64_t> effective_user(int process, const std::filesystem::path& root) {
  std::istringstream status(read_text(root / "proc" / std::to_string(process) / "status"));
  std::string word;
  while (status >> word) {
    std::int64_t real = 0, effective = 0;
    if (word == "Uid:" && status >> real >> effective) {
      return effective;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::int64_t> other_user_of_pythons(int process,
                                                  std::int64_t own,
                                                  const std::filesystem::path& root) {
  std::optional<std::int64_t> other;
  for (const int one : family_of(process, root)) {
    const auto user =
        one != process && is_python(one, root) ? effective_user(one, root) : std::nullopt;
    if (user == own) {
      return std::nullopt;
    }
    other = user ? user : other;
  }
  return other;
}

std::optional<std::int64_t> family_cpu_ns(int process,
                                          int member,
                                          const std::filesystem::path& root) {
  const std::vector<int> family = family_of(process, root);
  if (std::find(family.begin(), family.end(), member) == family.end()) {
    return std::nullopt;
  }
  std::int64_t sum_ns = 0;
  for (const int one : family) {
    sum_ns += cpu_ns_with_children(one, root).value_or(0);
  }
  return sum_ns;
}

ProcessTreeReader::ProcessTreeReader(int process, const std::filesystem::path& root)
    : process_(process), root_(root), first_(process, root), ended_(zero()) {}

void ProcessTreeReader::find_descendants() {
  const std::vector<int> family = family_of(process_, root_);
  for (std::size_t at = 1; at < family.size() && descendants_.size() < kMostDescendants; ++at) {
    descendants_.try_emplace(family[at], family[at], root_);
  }
}

ForeignUsage ProcessTreeReader::read(std::int64_t now_ns) {
  ForeignUsage total = first_.read();
  if (looked_ns_ == 0 || now_ns - looked_ns_ >= kLookEveryNs) {
    find_descendants();
    looked_ns_ = now_ns;
  }
  for (auto at = descendants_.begin(); at != descendants_.end();) {
    const ForeignUsage now = at->second.reader.read();
    if (!now.user_ns) {
      add_counters(ended_, at->second.seen);
      at = descendants_.erase(at);
      continue;
    }
    at->second.seen = now;
    add_counters(total, now);
    add(total.threads, now.threads);
    if (total.resident_bytes && now.resident_bytes) {
      total.resident_bytes = std::max(total.resident_bytes, now.resident_bytes);
    }
    ++at;
  }
  add_counters(total, ended_);
  return total;
}

}  // namespace tune::machine
