#include "machine/cpu_topology.h"

#include "machine/cpu_list.h"
#include "machine/text_file.h"

#include <algorithm>
#include <iterator>
#include <string>

namespace tune::machine {

namespace {

namespace fs = std::filesystem;

constexpr const char* kSystem = "sys/devices/system";

std::vector<int> listed(const fs::path& file) {
  return parse_cpu_list(trimmed(read_text(file))).value_or(std::vector<int>());
}

}  // namespace

std::vector<int> one_cpu_of_each_core(const std::vector<int>& cpus, const fs::path& root) {
  std::vector<int> taken, first;
  for (const int cpu : cpus) {
    if (std::find(taken.begin(), taken.end(), cpu) != taken.end()) {
      continue;
    }
    first.push_back(cpu);
    const std::vector<int> siblings = listed(
        root / kSystem / "cpu" / ("cpu" + std::to_string(cpu)) / "topology/thread_siblings_list");
    taken.insert(taken.end(), siblings.begin(), siblings.end());
  }
  return first;
}

std::vector<std::vector<int>> cpus_by_node(const std::vector<int>& cpus, const fs::path& root) {
  std::vector<std::vector<int>> nodes;
  for (const int node : listed(root / kSystem / "node/online")) {
    const std::vector<int> all =
        listed(root / kSystem / "node" / ("node" + std::to_string(node)) / "cpulist");
    std::vector<int> allowed;
    std::copy_if(cpus.begin(), cpus.end(), std::back_inserter(allowed), [&](int cpu) {
      return std::find(all.begin(), all.end(), cpu) != all.end();
    });
    if (!allowed.empty()) {
      nodes.push_back(std::move(allowed));
    }
  }
  if (nodes.empty()) {
    nodes.push_back(cpus);
  }
  return nodes;
}

}  // namespace tune::machine
