#include "base/text.h"
#include "base/units.h"
#include "machine/gpu_driver.h"
#include "measure/doctor/checks.h"

#include <cstdint>
#include <utility>

namespace tune::doctor {

namespace {

using machine::GpuState;

// CUDA's numbers: 13000 is 13.0, 12080 is 12.8.
std::string cuda_text(std::int64_t version) {
  constexpr std::int64_t kMajor = 1000, kMinor = 10;
  return std::to_string(version / kMajor) + "." + std::to_string(version % kMajor / kMinor);
}

constexpr std::int64_t kNeededCuda = 12'000;

// What to do about a driver that is too old for every LibTorch of the set-up.
std::string ways_out() {
  return "install driver " + std::to_string(machine::kOldestDriverRelease) +
         " or newer; on a data-centre GPU cuda-compat-12-8 in LD_LIBRARY_PATH is enough; or tune a "
         "script with its own PyTorch: tune run -- python train.py";
}

Check driver_check(const Observation& seen) {
  Check check{.id = "gpu-driver"};
  const Gpus& gpus = seen.gpus;
  if (gpus.states.empty()) {
    check.found = "no NVIDIA GPU (" + gpus.problem + ")";
    if (!seen.machine.gpus.empty()) {
      check.level = Level::failure;
      check.found = "the kernel shows " + joined(seen.machine.gpus) +
                    ", but the driver's library does not: " + gpus.problem;
      check.why = "no trial can use it";
      check.advice =
          "after an update of the driver: restart the machine, so that its library and "
          "the kernel's part are of one version; in a container: docker run --gpus all";
    }
    return check;
  }
  check.found = std::to_string(gpus.states.size()) + (gpus.states.size() == 1 ? " GPU" : " GPUs") +
                ", driver " +
                (gpus.driver.version.empty() ? "of unknown version" : gpus.driver.version);
  if (gpus.driver.cuda_version) {
    check.found += ", for CUDA up to " + cuda_text(*gpus.driver.cuda_version);
  }
  if (gpus.driver.cuda_version.value_or(kNeededCuda) < kNeededCuda) {
    check.level = Level::warning;
    check.found += ": too old for LibTorch, which needs CUDA " + cuda_text(kNeededCuda);
    check.why = "trials of tune's own models run on the CPU";
    check.advice = ways_out();
  } else if (gpus.visible == 0) {
    check.level = Level::note;
    check.found += "; CUDA_VISIBLE_DEVICES hides every one";
    check.why = "trials run on the CPU";
    check.advice = "unset CUDA_VISIBLE_DEVICES";
  } else if (!gpus.problem.empty()) {
    check.level = Level::warning;
    check.found += "; " + gpus.problem;
    check.why = "a GPU that does not answer may come back, or not";
    check.advice = "look in dmesg for lines of NVRM (Xid)";
  }
  if (gpus.states.size() > 1 && gpus.in_use) {
    check.found += "; trials use one, GPU " + std::to_string(*gpus.in_use) + " (" +
                   gpus.states.at(*gpus.in_use).name + ")";
  }
  return check;
}

/// The checks of one GPU: those that found something, or a single one that all is well.
class GpuChecks {
 public:
  GpuChecks(const GpuState& gpu, std::size_t index)
      : gpu_(gpu), begin_("GPU " + std::to_string(index) + " (" + gpu.name + ")") {}

  std::vector<Check> all() {
    look_at_load();
    look_at_clocks();
    look_at_setup();
    if (checks_.empty()) {
      add({.id = "gpu-state", .found = "is free, cool and at its usual limits"});
    }
    return checks_;
  }

 private:
  void add(Check check) {
    check.found = begin_ + " " + check.found;
    checks_.push_back(std::move(check));
  }

  void look_at_load() {
    constexpr double kSomeUse = 0.05, kSomeMemory = 0.1;
    const double used = gpu_.used_ratio.value_or(0);
    const std::int64_t processes = gpu_.processes.value_or(0);
    const double taken = gpu_.memory_bytes.value_or(0) > 0
                             ? static_cast<double>(gpu_.memory_used_bytes.value_or(0)) /
                                   static_cast<double>(*gpu_.memory_bytes)
                             : 0;
    if (used > kSomeUse || processes > 0 || taken > kSomeMemory) {
      add({.id = "gpu-load",
           .level = Level::warning,
           .found = "is used by others: " + percent(used) + " of the time, " +
                    std::to_string(processes) + (processes == 1 ? " process" : " processes") +
                    ", " + format_bytes(gpu_.memory_used_bytes.value_or(0)) + " of memory",
           .why = "kernels wait for theirs, and memory is smaller than it seems",
           .advice =
               "see who it is (nvidia-smi), or choose another one with CUDA_VISIBLE_DEVICES"});
    }
  }

  void look_at_clocks() {
    constexpr double kHot = 85;
    if (gpu_.is_thermally_slowed.value_or(false) || gpu_.temperature.value_or(0) >= kHot) {
      add({.id = "gpu-heat",
           .level = Level::warning,
           .found = "is hot: " + std::to_string(static_cast<int>(gpu_.temperature.value_or(0))) +
                    " degrees Celsius" +
                    (gpu_.is_thermally_slowed.value_or(false) ? ", slowed down for it" : ""),
           .why = "its clocks are lowered, so that later trials are slower than earlier ones",
           .advice = "let it cool down; look at air flow and at its neighbours"});
    }
    if (gpu_.is_power_capped.value_or(false)) {
      add({.id = "gpu-power",
           .level = Level::note,
           .found = "is at its power limit now",
           .why = "power decides its speed, not the settings that are compared",
           .advice = "see nvidia-smi -q -d POWER,PERFORMANCE"});
    }
    if (gpu_.power_limit_w && gpu_.usual_power_limit_w &&
        *gpu_.power_limit_w < *gpu_.usual_power_limit_w) {
      add({.id = "gpu-power-limit",
           .level = Level::note,
           .found = "is limited to " + std::to_string(static_cast<int>(*gpu_.power_limit_w)) +
                    " W instead of " + std::to_string(static_cast<int>(*gpu_.usual_power_limit_w)) +
                    " W",
           .why = "it is slower under load than others of its kind",
           .advice = "sudo nvidia-smi -pl " +
                     std::to_string(static_cast<int>(*gpu_.usual_power_limit_w))});
    }
  }

  void look_at_setup() {
    if (gpu_.is_persistent && !*gpu_.is_persistent) {
      add({.id = "gpu-persistence",
           .level = Level::note,
           .found = "is not in persistence mode",
           .why =
               "each trial starts the driver again: that takes seconds, and clocks rise from idle",
           .advice = "sudo nvidia-smi -pm 1"});
    }
    if (gpu_.compute_mode == "prohibited") {
      add({.id = "gpu-compute-mode",
           .level = Level::failure,
           .found = "is closed for computing",
           .why = "no trial can use it",
           .advice = "sudo nvidia-smi -c DEFAULT"});
    }
    if (gpu_.is_partitioned.value_or(false)) {
      add({.id = "gpu-partitions",
           .level = Level::note,
           .found = "is cut into partitions (MIG)",
           .why = "a trial sees one of them, and its neighbours share the memory's speed",
           .advice = "name the partition with CUDA_VISIBLE_DEVICES; compare only equal ones"});
    }
    if (gpu_.link_width && gpu_.most_link_width && *gpu_.link_width < *gpu_.most_link_width) {
      add({.id = "gpu-link",
           .level = Level::warning,
           .found = "uses " + std::to_string(*gpu_.link_width) + " of " +
                    std::to_string(*gpu_.most_link_width) + " PCIe lanes",
           .why = "batches take so much longer to reach it",
           .advice = "look at the slot and at what shares its lanes; lspci -vv shows LnkSta"});
    }
    if (gpu_.uncorrected_errors.value_or(0) > 0) {
      add({.id = "gpu-memory-errors",
           .level = Level::warning,
           .found = "had " + std::to_string(*gpu_.uncorrected_errors) +
                    " errors of its memory that could not be corrected",
           .why = "results may be wrong, and pages are taken out of use",
           .advice = "have it looked at; nvidia-smi -q -d ECC,PAGE_RETIREMENT"});
    }
  }

  const GpuState& gpu_;
  std::string begin_;
  std::vector<Check> checks_;
};

}  // namespace

std::vector<Check> gpu_checks(const Observation& seen) {
  std::vector<Check> checks = {driver_check(seen)};
  for (std::size_t i = 0; i < seen.gpus.states.size(); ++i) {
    const std::vector<Check> own = GpuChecks(seen.gpus.states[i], i).all();
    checks.insert(checks.end(), own.begin(), own.end());
  }
  return checks;
}

}  // namespace tune::doctor
