#include "machine/machine_facts.h"

#include "base/fields.h"
#include "machine/container.h"
#include "machine/cpu_list.h"
#include "machine/cpu_policy.h"
#include "machine/cpu_topology.h"
#include "machine/gpu_driver.h"
#include "machine/nvml.h"
#include "machine/text_file.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <set>
#include <string_view>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace tune::machine {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestName = 256;

std::string name_of(std::string_view text) {
  return std::string(trimmed(text).substr(0, kLongestName));
}

// Only flags that decide how fast a convolution or a matrix product can be, on x86 and Arm.
std::vector<std::string> flags_that_matter(std::string_view flags) {
  static constexpr std::array<std::string_view, 20> kKnown = {
      "sse4_2",         "avx",         "avx2",        "fma",         "f16c",
      "avx512f",        "avx512bw",    "avx512vl",    "avx512_vnni", "avx_vnni",
      "avx_ne_convert", "avx512_bf16", "avx512_fp16", "amx_tile",    "amx_bf16",
      "amx_fp16",       "amx_int8",    "asimd",       "sve",         "bf16"};
  std::vector<std::string> found;
  const std::string padded = " " + std::string(flags) + " ";
  for (const std::string_view flag : kKnown) {
    if (padded.find(" " + std::string(flag) + " ") != std::string::npos) {
      found.emplace_back(flag);
    }
  }
  return found;
}

void read_cpus(const fs::path& root, MachineFacts& facts) {
  const std::string text = read_text(root / "proc/cpuinfo");
  facts.cpu_model = name_of(value_of(text, "model name", ':'));
  std::string_view flags = value_of(text, "flags", ':');
  if (flags.empty()) {
    flags = value_of(text, "Features", ':');
  }
  facts.cpu_flags = flags_that_matter(flags);
  std::set<std::pair<std::string_view, std::string_view>> cores;
  std::string_view package;
  for (const std::string_view line : lines_of(text)) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) {
      continue;
    }
    const std::string_view key = trimmed(line.substr(0, colon));
    if (key == "processor") {
      ++facts.logical_cpus;
    } else if (key == "physical id") {
      package = trimmed(line.substr(colon + 1));
    } else if (key == "core id") {
      cores.emplace(package, trimmed(line.substr(colon + 1)));
    }
  }
  facts.physical_cores =
      cores.empty() ? facts.logical_cpus : static_cast<std::int64_t>(cores.size());
}

// Runs after read_cpus: affinity, then the quota.
void read_limits(const fs::path& root, MachineFacts& facts) {
  facts.cpus = facts.logical_cpus;
  const std::string status = read_text(root / "proc/self/status");
  const auto allowed = parse_cpu_list(value_of(status, "Cpus_allowed_list", ':'));
  if (allowed && !allowed->empty()) {
    facts.cpus = static_cast<std::int64_t>(allowed->size());
    const std::vector<std::vector<int>> nodes = cpus_by_node(*allowed, root);
    facts.first_node_cpus = nodes.size() > 1 ? format_cpu_list(nodes.front()) : "";
  }
  const std::string memory = read_text(root / "proc/meminfo");
  std::string_view total = value_of(memory, "MemTotal", ':');
  total = total.substr(0, total.find(' '));  // in kB
  constexpr std::int64_t kMostKib = std::int64_t{1} << 50;
  facts.memory_bytes = std::min(to_number(total).value_or(0), kMostKib) * 1024;
  facts.memory_limit_bytes = facts.memory_bytes;
  const CgroupLimits limits = read_cgroup_limits(root);
  facts.cgroup_cpus = limits.cpus;
  if (limits.cpus && *limits.cpus < static_cast<double>(facts.cpus)) {
    facts.cpus = std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(*limits.cpus)));
  }
  if (limits.memory_bytes &&
      (facts.memory_bytes == 0 || *limits.memory_bytes < facts.memory_bytes)) {
    facts.memory_limit_bytes = *limits.memory_bytes;
  }
}

// "always [madvise] never" -> madvise
std::optional<std::string> chosen(std::string_view text) {
  const std::string name = name_of(word_in_brackets(text));
  return name.empty() ? std::nullopt : std::optional(name);
}

std::vector<std::string> gpu_names(const fs::path& root, const std::string& nvml_library) {
  std::vector<std::string> names;
  std::error_code problem;
  constexpr std::size_t kMost = 64;
  for (fs::directory_iterator at(root / "proc/driver/nvidia/gpus", problem), end;
       !problem && at != end && names.size() < kMost;
       at.increment(problem)) {
    const std::string text = read_text(at->path() / "information");
    names.push_back(name_of(value_of(text, "Model", ':')));
  }
  // Asking the library on a machine without a GPU takes time, and wakes up a sleeping driver.
  if (names.empty() && shows_driver(root)) {
    const Nvml nvml(nvml_library);
    for (const Nvml::Gpu& gpu : nvml.gpus()) {
      names.push_back(name_of(gpu.name));
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

double read_load(const fs::path& root) {
  const std::string text = read_text(root / "proc/loadavg");
  double load = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), load);
  return read.ec == std::errc() && std::isfinite(load) && load >= 0 ? load : 0;
}

std::string distribution(const fs::path& root) {
  const std::string text = read_text(root / "etc/os-release");
  std::string_view name = value_of(text, "PRETTY_NAME", '=');
  if (name.size() >= 2 && name.front() == '"' && name.back() == '"') {
    name = name.substr(1, name.size() - 2);
  }
  return name_of(name);
}

}  // namespace

MachineFacts read_machine_facts(const fs::path& root, const std::string& nvml_library) {
  MachineFacts facts;
  read_cpus(root, facts);
  read_limits(root, facts);
  const std::string governor =
      name_of(read_text(root / "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"));
  if (!governor.empty()) {
    facts.governor = governor;
  }
  const CpuPolicy policy = read_cpu_policy(root);
  facts.numa_nodes = policy.numa_nodes;
  facts.turbo = policy.turbo;
  facts.transparent_huge_pages =
      chosen(read_text(root / "sys/kernel/mm/transparent_hugepage/enabled"));
  facts.load1 = read_load(root);
  facts.kernel = name_of(read_text(root / "proc/sys/kernel/osrelease"));
  facts.distribution = distribution(root);
  facts.gpus = gpu_names(root, nvml_library);
  facts.variables = performance_variables(environ);
  return facts;
}

std::vector<std::string> performance_variables(const char* const* environment) {
  static constexpr std::array<std::string_view, 13> kBegins = {"OMP_",
                                                               "KMP_",
                                                               "GOMP_",
                                                               "MKL_",
                                                               "DNNL_",
                                                               "ONEDNN_",
                                                               "OPENBLAS_",
                                                               "ATEN_",
                                                               "TORCH_",
                                                               "PYTORCH_",
                                                               "CUDA_",
                                                               "MALLOC_",
                                                               "GLIBC_TUNABLES="};
  constexpr std::size_t kLongest = 256;
  constexpr std::size_t kMost = 100;
  std::vector<std::string> found;
  for (; environment != nullptr && *environment != nullptr && found.size() < kMost; ++environment) {
    const std::string_view entry = *environment;
    if (std::any_of(kBegins.begin(), kBegins.end(), [&](std::string_view begin) {
          return entry.starts_with(begin);
        })) {
      found.emplace_back(entry.substr(0, kLongest));
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

MachineFacts within_isa(MachineFacts machine, std::string isa) {
  constexpr std::string_view kVariable = "ONEDNN_MAX_CPU_ISA=";
  for (const std::string& inherited : machine.variables) {
    if (isa.empty() && inherited.starts_with(kVariable)) {
      isa = inherited.substr(kVariable.size());
    }
  }
  std::transform(isa.begin(), isa.end(), isa.begin(), [](unsigned char c) {
    return static_cast<char>(std::toupper(c));
  });
  if (isa.empty() || isa == "DEFAULT" || isa == "ALL") {
    return machine;
  }
  const auto holds = [&](const char* part) { return isa.find(part) != std::string::npos; };
  const bool has_amx = holds("AMX") || holds("AVX10_2");
  const bool has_avx512 = has_amx || holds("BF16") || holds("FP16") || holds("AVX10");
  std::erase_if(machine.cpu_flags, [&](const std::string& flag) {
    return (flag == "amx_bf16" && !has_amx) || (flag == "avx512_bf16" && !has_avx512);
  });
  return machine;
}

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

void fields_of(Fields& fields, MachineFacts& facts) {
  constexpr Range kCount = {0, std::numeric_limits<std::int64_t>::max()};
  constexpr std::size_t kMostNames = 1000;
  fields.text("cpu_model", facts.cpu_model);
  fields.text_list("cpu_flags", facts.cpu_flags, kMostNames);
  fields.whole("cpus", facts.cpus, kCount);
  fields.whole("logical_cpus", facts.logical_cpus, kCount);
  fields.whole("physical_cores", facts.physical_cores, kCount);
  fields.real("cgroup_cpus", facts.cgroup_cpus, 0, 1e9);
  fields.whole("memory_bytes", facts.memory_bytes, kCount);
  fields.whole("memory_limit_bytes", facts.memory_limit_bytes, kCount);
  fields.text("governor", facts.governor);
  fields.text("transparent_huge_pages", facts.transparent_huge_pages);
  fields.real("load1", facts.load1, 0, 1e9);
  fields.text("kernel", facts.kernel);
  fields.text("distribution", facts.distribution);
  fields.text("device", facts.device);
  if (fields.has("no_gpu", !facts.no_gpu.empty())) {
    fields.text("no_gpu", facts.no_gpu);
  }
  if (fields.has("used_gpu", !facts.used_gpu.empty())) {
    fields.text("used_gpu", facts.used_gpu);
  }
  if (fields.has("gpu_name", !facts.gpu_name.empty())) {
    fields.text("gpu_name", facts.gpu_name);
  }
  if (fields.has("usable_gpus", facts.usable_gpus > 0)) {
    fields.whole("usable_gpus", facts.usable_gpus, kCount);
  }
  fields.text_list("gpus", facts.gpus, kMostNames);
  if (fields.has("variables")) {  // older ledgers lack them
    fields.text_list("variables", facts.variables, kMostNames);
  }
  fields.whole_if_said("numa_nodes", facts.numa_nodes, {1, 65'536});
  if (fields.has("first_node_cpus", !facts.first_node_cpus.empty())) {
    fields.text("first_node_cpus", facts.first_node_cpus);
  }
  fields.flag_if_said("turbo", facts.turbo);
}

}  // namespace tune::machine
