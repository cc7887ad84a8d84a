#include "machine/cpu_list.h"

#include "machine/text_file.h"

#include <memory>
#include <sched.h>
#include <set>

namespace tune::machine {

namespace {
constexpr int kMostCpus = 8192;
}  // namespace

std::optional<std::vector<int>> parse_cpu_list(std::string_view text) {
  std::set<int> cpus;
  text = trimmed(text);
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    const std::string_view part = text.substr(0, comma);
    const std::size_t dash = part.find('-');
    const auto first = to_number(part.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : to_number(part.substr(dash + 1));
    if (!first || !last || *first > *last || *last >= kMostCpus) {
      return std::nullopt;
    }
    for (auto cpu = static_cast<int>(*first); cpu <= static_cast<int>(*last); ++cpu) {
      cpus.insert(cpu);
    }
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
    if (comma != std::string_view::npos && text.empty()) {
      return std::nullopt;  // ends with a comma
    }
  }
  return std::vector<int>(cpus.begin(), cpus.end());
}

std::string format_cpu_list(const std::vector<int>& cpus) {
  std::string text;
  for (std::size_t i = 0; i < cpus.size();) {
    std::size_t end = i;
    while (end + 1 < cpus.size() && cpus[end + 1] == cpus[end] + 1) {
      ++end;
    }
    text += (text.empty() ? "" : ",") + std::to_string(cpus[i]);
    if (end > i) {
      text += "-" + std::to_string(cpus[end]);
    }
    i = end + 1;
  }
  return text;
}

std::vector<int> allowed_cpus(int process) {
  std::vector<int> cpus;
  const auto free_set = [](cpu_set_t* set) { CPU_FREE(set); };
  const std::unique_ptr<cpu_set_t, decltype(free_set)> set(CPU_ALLOC(kMostCpus), free_set);
  const std::size_t bytes = CPU_ALLOC_SIZE(kMostCpus);
  if (set != nullptr && sched_getaffinity(process, bytes, set.get()) == 0) {
    for (int cpu = 0; cpu < kMostCpus; ++cpu) {
      if (CPU_ISSET_S(static_cast<std::size_t>(cpu), bytes, set.get())) {
        cpus.push_back(cpu);
      }
    }
  }
  return cpus;
}

}  // namespace tune::machine
