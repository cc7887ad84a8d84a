#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tune {
class Fields;
}

namespace tune::machine {

/// The facts that make two runs comparable. Read once per campaign; nothing is changed.
struct MachineFacts {
  std::string cpu_model;  ///< "Intel(R) Xeon(R) Processor"
  std::vector<std::string>
      cpu_flags;  ///< only those that matter here: avx2 avx512f avx512_bf16 amx_tile amx_bf16 ...
  std::int64_t cpus = 0;  ///< that this process may use (affinity and cgroup quota, rounded up)
  std::int64_t logical_cpus = 0, physical_cores = 0;
  std::optional<double> cgroup_cpus;  ///< cpu.max quota ÷ period, when limited
  std::int64_t memory_bytes = 0;
  std::int64_t memory_limit_bytes = 0;  ///< the smaller of the machine's and the cgroup's
  std::optional<std::string> governor;  ///< "performance"; nothing inside most virtual machines
  std::optional<std::string> transparent_huge_pages;  ///< "madvise"
  std::optional<std::int64_t> numa_nodes;             ///< memory nodes that are online
  /// "0-15": those of the first memory node that this process may use; "" when all CPUs that it may
  /// use are on one node, or the nodes are unknown.
  std::string first_node_cpus;
  std::optional<bool> turbo;         ///< CPUs may run above their nominal clock
  double load1 = 0;                  ///< load average of the last minute when the campaign began
  std::string kernel, distribution;  ///< "6.1.0-18-amd64", "Debian GNU/Linux 12 (bookworm)"
  std::string device = "cpu";        ///< cpu | cuda: what a scenario's `device` means
  std::vector<std::string> gpus;     ///< names, when a driver answers
  std::vector<std::string>
      variables;  ///< "OMP_NUM_THREADS=2": inherited by workers and effective there

  /// Why trials cannot use the GPU that they would otherwise use; else "".
  std::string no_gpu;

  /// "GPU 1 of 4 (NVIDIA L4)": the one that trials use, where the machine has several; else "".
  std::string used_gpu;

  /// "NVIDIA L4": of the GPU that trials use, as the worker or the driver names it; "" unknown.
  std::string gpu_name;

  /// How many GPUs trials may use: those that CUDA_VISIBLE_DEVICES allows. 0: unknown, or the
  /// trials run on the CPU.
  std::int64_t usable_gpus = 0;
};

/// As a ledger stores them.
void fields_of(Fields& fields, MachineFacts& facts);

/// Reads <root>/proc, <root>/sys, <root>/etc ("/" for the real machine). What cannot be read stays
/// at its default. In some containers and under WSL 2 /proc does not show the driver; then NVIDIA's
/// management library is asked for the names.
MachineFacts read_machine_facts(const std::filesystem::path& root,
                                const std::string& nvml_library = "libnvidia-ml.so.1");

/// The variables "NAME=value" that change how fast a training runs (threads, allocator, libraries),
/// sorted; values are cut at 256 bytes.
std::vector<std::string> performance_variables(const char* const* environment);

/// The machine without the bf16 units that oneDNN leaves unused where ONEDNN_MAX_CPU_ISA is `isa`
/// ("AVX2", "avx512_core"), or where that is "" what the inherited variables say. "DEFAULT" limits
/// nothing. The names are those of oneDNN's CPU dispatcher control,
/// https://uxlfoundation.github.io/oneDNN/dev_guide_cpu_dispatcher_control.html
MachineFacts within_isa(MachineFacts machine, std::string isa);

/// The host name, "node7"; "" when unknown. Distinguishes machines of one class; it need not be
/// equal for numbers to be comparable.
std::string host_name();

}  // namespace tune::machine
