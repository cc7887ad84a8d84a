#include "cli/launch_space.h"

#include "base/error.h"
#include "machine/cpu_list.h"
#include "machine/cpu_topology.h"
#include "machine/preloaded_library.h"
#include "scenario/edit_scenario.h"
#include "scenario/machine.h"
#include "trial/environment_knob.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>

namespace tune::cli {

namespace {

namespace fs = std::filesystem;

using trial::kVariableAsItIs;

constexpr const char* kPreload = "LD_PRELOAD";

void add_value(std::string value, std::vector<std::string>& values) {
  if (std::find(values.begin(), values.end(), value) == values.end()) {
    values.push_back(std::move(value));
  }
}

class Space {
 public:
  Space(const machine::MachineFacts& machine, const fs::path& root)
      : machine_(machine), root_(root), is_on_gpu_(machine.device == "cuda") {}

  LaunchSpace make() {
    add_libraries();
    add_threads();
    add_cpus();
    add_pages();
    if (is_on_gpu_) {
      add("PYTORCH_CUDA_ALLOC_CONF", {"expandable_segments:True"});
    } else {
      add_onednn();
    }
    return std::move(space_);
  }

 private:
  void add(const char* variable, const std::vector<std::string>& values) {
    std::vector<std::string> all{std::string(kVariableAsItIs)};
    for (const std::string& value : values) {
      add_value(value, all);
    }
    if (all.size() > 1) {
      space_.variables.emplace_back(variable, std::move(all));
    }
  }

  bool is_installed(const char* library) {
    try {
      machine::preloaded_library(library, root_);
      return true;
    } catch (const Error& error) {
      const Error::Parts& parts = error.complaints().front();
      space_.missing.push_back(std::string(library) + " is not installed (" + parts.suggestion +
                               ")");
      return false;
    }
  }

  // The runtime alone, each allocator alone, and both.
  void add_libraries() {
    std::vector<std::string> allocators;
    for (const char* const allocator : {"jemalloc", "tcmalloc"}) {
      if (is_installed(allocator)) {
        allocators.emplace_back(allocator);
      }
    }
    const bool has_jemalloc =
        std::find(allocators.begin(), allocators.end(), "jemalloc") != allocators.end();
    std::vector<std::string> values = allocators;
    const bool has_runtime = !is_on_gpu_ && machine_.cpus > 1 && is_installed("iomp5");
    if (has_runtime) {
      values.emplace_back("iomp5");
      for (const std::string& allocator : allocators) {
        values.push_back(allocator + ":iomp5");
      }
    }
    add(kPreload, values);
    if (has_runtime) {
      add("KMP_BLOCKTIME", {"1"});
    }
    if (has_jemalloc) {  // as PyTorch's tuning guide has it
      add("MALLOC_CONF",
          {"oversize_threshold:1,background_thread:true,metadata_thp:auto,dirty_decay_ms:"
           "9000000000,muzzy_decay_ms:9000000000"});
    }
  }

  void add_threads() {
    if (machine_.cpus < 2) {
      return;
    }
    const std::int64_t cores =
        std::max<std::int64_t>(1, std::min(machine_.physical_cores, machine_.cpus));
    std::vector<std::string> counts;
    for (const std::int64_t count : {cores, machine_.cpus, cores / 2}) {
      if (count >= 1) {
        add_value(std::to_string(count), counts);
      }
    }
    add("OMP_NUM_THREADS", counts);
    if (!is_on_gpu_) {
      add("OMP_PROC_BIND", {"close"});
    }
  }

  // Memory comes from the node of the CPU that first writes to it: CPUs of one node suffice.
  void add_cpus() {
    const std::vector<int> all = machine::allowed_cpus();
    std::vector<std::string> lists{""};
    const std::vector<int> cores = machine::one_cpu_of_each_core(all, root_);
    if (cores.size() < all.size()) {
      add_value(machine::format_cpu_list(cores), lists);
    }
    const auto nodes = machine::cpus_by_node(all, root_);
    if (nodes.size() > 1) {
      add_value(machine::format_cpu_list(nodes.front()), lists);
      add_value(machine::format_cpu_list(machine::one_cpu_of_each_core(nodes.front(), root_)),
                lists);
    } else {
      space_.missing.emplace_back("one memory node: nothing to choose (NUMA)");
    }
    if (lists.size() > 1) {
      space_.cpus = std::move(lists);
    }
  }

  void add_pages() {
    // glibc's allocator then keeps what was freed.
    const std::string keeping = "glibc.malloc.mmap_max=0:glibc.malloc.trim_threshold=1073741824";
    const std::string pages = machine_.transparent_huge_pages.value_or("");
    if (pages == "madvise" || pages == "always") {
      add("THP_MEM_ALLOC_ENABLE", {"1"});
      add("GLIBC_TUNABLES", {keeping, keeping + ":glibc.malloc.hugetlb=1"});
    } else {
      add("GLIBC_TUNABLES", {keeping});
      space_.missing.push_back(pages.empty() ? "this kernel has no transparent huge pages"
                                             : "transparent huge pages are off (" + pages + ")");
    }
  }

  void add_onednn() {
    if (scenario::has_cpu_flag(machine_, "avx512f")) {
      std::vector<std::string> sets = {"AVX2"};
      if (scenario::has_cpu_flag(machine_, "amx_bf16")) {
        sets.emplace_back("AVX512_CORE_BF16");
      }
      add("ONEDNN_MAX_CPU_ISA", sets);
    }
    add("ONEDNN_PRIMITIVE_CACHE_CAPACITY", {"4096"});
  }

  const machine::MachineFacts& machine_;
  const fs::path& root_;
  bool is_on_gpu_;
  LaunchSpace space_;
};

std::string list_text(const std::vector<std::string>& values) {
  return nlohmann::json(values).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

bool has_variable(const LaunchSpace& space, const std::string& knob) {
  return std::any_of(space.variables.begin(), space.variables.end(), [&](const auto& each) {
    return std::string(trial::kEnvironmentKnob) + each.first == knob;
  });
}

}  // namespace

LaunchSpace launch_space(const machine::MachineFacts& machine, const fs::path& root) {
  return Space(machine, root).make();
}

std::string launch_scenario(const scenario::Scenario& scenario, const LaunchSpace& space) {
  std::string variables;
  for (const auto& [knob, axis] : scenario.grid) {
    if (!trial::is_environment_knob(knob) || has_variable(space, knob)) {
      continue;
    }
    std::vector<std::string> values;
    values.reserve(axis.size());
    for (const trial::KnobValue& value : axis) {
      values.push_back(trial::to_text(value));
    }
    variables +=
        "    " + knob.substr(trial::kEnvironmentKnob.size()) + ": " + list_text(values) + "\n";
  }
  for (const auto& [variable, values] : space.variables) {
    variables += "    " + variable + ": " + list_text(values) + "\n";
  }
  std::string grid = variables.empty() ? "" : "  environment:\n" + variables;
  if (!space.cpus.empty()) {
    grid += "  cpu_affinity: " + list_text(space.cpus) + "\n";
  }
  if (grid.empty()) {
    throw Error(Error::Parts{
        "tune launch", "has nothing to try on this machine", "one CPU, no library installed", ""});
  }
  for (const std::string& missing : space.missing) {
    grid += "  # not tried: " + missing + "\n";
  }
  return scenario::with_grid(scenario.text, scenario.file, grid);
}

}  // namespace tune::cli
