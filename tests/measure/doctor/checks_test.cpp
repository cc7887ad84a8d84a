#include "measure/doctor/checks.h"

#include "healthy_machine.h"
#include "machine/gpu_driver.h"
#include "measure/doctor/checkup.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

namespace tune::doctor {
namespace {

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// What any answer must be: an id of its own, and of what is wrong the reason and what to do.
void expect_whole(const Checkup& checkup) {
  std::set<std::string> seen;
  for (const Check& check : checkup.checks) {
    EXPECT_FALSE(check.id.empty());
    EXPECT_FALSE(check.group.empty()) << check.id;
    EXPECT_FALSE(check.found.empty()) << check.id;
    EXPECT_EQ(check.found.find('\n'), std::string::npos) << check.id;
    const bool needs_look = check.level >= Level::note;
    EXPECT_EQ(check.why.empty(), !needs_look) << check.id << ": " << check.found;
    EXPECT_EQ(check.advice.empty(), !needs_look) << check.id << ": " << check.found;
    EXPECT_TRUE(seen.insert(check.id).second || check.group == "gpu") << check.id << " twice";
  }
}

TEST(Checks, AHealthyMachineHasNothingToLookAt) {
  const Checkup checkup = examine(healthy_machine());
  for (const Check& check : checkup.checks) {
    EXPECT_EQ(check.level, Level::ok) << check.id << ": " << check.found;
  }
  EXPECT_EQ(checkup.worst(), Level::ok);
  expect_whole(checkup);
}

TEST(Checks, AMachineThatSaysNothingIsUnknownNotWrong) {
  Observation seen;
  seen.installation.tune_version = "0.1.0";
  seen.installation.worker_is_missing = true;
  seen.installation.worker_problem = "is no program";
  const Checkup checkup = examine(seen);
  EXPECT_EQ(checkup.worst(), Level::note) << "no worker, no probe: nothing that is wrong";
  EXPECT_GT(checkup.count(Level::unknown), 8U);
  expect_whole(checkup);
}

TEST(ProcessorChecks, AGovernorThatFollowsTheLoadIsAWarning) {
  Observation seen = healthy_machine();
  seen.policy.governors = {"ondemand", "performance"};
  const Check check = check_of(processor_checks(seen), "cpu-governor");
  EXPECT_EQ(check.level, Level::warning);
  EXPECT_TRUE(holds(check.found, "ondemand, performance")) << check.found;
  EXPECT_TRUE(holds(check.advice, "cpupower frequency-set -g performance")) << check.advice;
}

TEST(ProcessorChecks, PowersaveOfAnActiveDriverReachesTheFullClockUnlessItSavesEnergy) {
  Observation seen = healthy_machine();
  seen.policy.governors = {"powersave"};
  seen.policy.driver = "intel_pstate";
  seen.policy.energy_preference = "balance_performance";
  EXPECT_EQ(check_of(processor_checks(seen), "cpu-governor").level, Level::note);
  seen.policy.energy_preference = "power";
  EXPECT_EQ(check_of(processor_checks(seen), "cpu-governor").level, Level::warning);
  seen.policy.driver = "acpi-cpufreq";
  seen.policy.energy_preference.clear();
  EXPECT_EQ(check_of(processor_checks(seen), "cpu-governor").level, Level::warning);
}

TEST(ProcessorChecks, TurboIsSwitchedOffWhereTheKernelHasItsSwitch) {
  Observation seen = healthy_machine();
  seen.policy.turbo = true;
  seen.policy.turbo_file = "/sys/devices/system/cpu/intel_pstate/no_turbo";
  EXPECT_TRUE(holds(check_of(processor_checks(seen), "cpu-turbo").advice, "echo 1 | sudo tee"));
  seen.policy.turbo_file = "/sys/devices/system/cpu/cpufreq/boost";
  const Check check = check_of(processor_checks(seen), "cpu-turbo");
  EXPECT_EQ(check.level, Level::note);
  EXPECT_TRUE(holds(check.advice, "echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost"));
}

TEST(ProcessorChecks, SharedCoresAreKnownFromTheKernelElseFromTheirNumber) {
  Observation seen = healthy_machine();
  seen.policy.shares_cores.reset();
  EXPECT_EQ(check_of(processor_checks(seen), "shared-cores").level, Level::ok);
  seen.machine.physical_cores = 2;
  const Check check = check_of(processor_checks(seen), "shared-cores");
  EXPECT_EQ(check.level, Level::note);
  EXPECT_TRUE(holds(check.found, "4 CPUs on 2 cores")) << check.found;
}

TEST(ProcessorChecks, NodesSlowClocksHeatAndBatteries) {
  Observation seen = healthy_machine();
  seen.policy.numa_nodes = 2;
  seen.policy.clock_source = "hpet";
  seen.policy.all_clocks = {"hpet", "tsc"};
  seen.policy.on_battery = true;
  put(seen, "cpu_temperature", 97);
  const auto checks = processor_checks(seen);
  EXPECT_EQ(check_of(checks, "memory-nodes").level, Level::note);
  EXPECT_EQ(check_of(checks, "clock-source").level, Level::warning);
  EXPECT_TRUE(holds(check_of(checks, "clock-source").advice, "echo tsc"));
  EXPECT_EQ(check_of(checks, "battery").level, Level::warning);
  EXPECT_EQ(check_of(checks, "cpu-heat").level, Level::warning);
  put(seen, "cpu_temperature", 60);
  put(seen, "cpu_throttle_rate", 2);
  EXPECT_TRUE(holds(check_of(processor_checks(seen), "cpu-heat").found, "slowed down"));
}

TEST(LoadChecks, OtherWorkIsNamedAndOurOwnIsNotCounted) {
  Observation seen = healthy_machine();
  put(seen, "cpu_busy_ratio", 0.30);  // 1.2 of 4 CPUs
  seen.own_cpus = 0.05;
  seen.busiest = {{4711, "cc1plus", 1.1}};
  const Check check = check_of(load_checks(seen), "other-cpu-load");
  EXPECT_EQ(check.level, Level::warning);
  EXPECT_TRUE(holds(check.found, "others use 1.15 of 4 CPUs: cc1plus (1.10, process 4711)"))
      << check.found;
  put(seen, "cpu_busy_ratio", 0.03);
  EXPECT_EQ(check_of(load_checks(seen), "other-cpu-load").level, Level::ok);
  seen.machine.load1 = 7;
  EXPECT_EQ(check_of(load_checks(seen), "other-cpu-load").level, Level::note);
}

TEST(LoadChecks, LoadOfNobodyThatCanBeSeenIsOutsideOfTheContainer) {
  Observation seen = healthy_machine();
  put(seen, "cpu_busy_ratio", 0.5);
  EXPECT_TRUE(holds(check_of(load_checks(seen), "other-cpu-load").advice, "outside"));
}

TEST(LoadChecks, StealDisksPressureAndSwap) {
  Observation seen = healthy_machine();
  put(seen, "steal_ratio", 0.02);
  put(seen, "disk_busy_ratio", 0.5);
  put(seen, "psi_memory_ratio", 0.2);
  put(seen, "swap_in_rate", 4096);
  const auto checks = load_checks(seen);
  for (const char* const id : {"cpu-steal", "disk-load", "memory-pressure", "swap-traffic"}) {
    EXPECT_EQ(check_of(checks, id).level, Level::warning) << id;
  }
  EXPECT_TRUE(holds(check_of(checks, "cpu-steal").found, "2.0 %"));
  take_away(seen, "steal_ratio", "no /proc/stat");
  const Check unknown = check_of(load_checks(seen), "cpu-steal");
  EXPECT_EQ(unknown.level, Level::unknown);
  EXPECT_TRUE(holds(unknown.found, "no /proc/stat")) << unknown.found;
}

TEST(LoadChecks, AQuotaOnlyCountsWhereThereIsOne) {
  Observation seen = healthy_machine();
  EXPECT_EQ(check_of(load_checks(seen), "quota-throttling").level, Level::ok);
  seen.machine.cgroup_cpus = 1.5;
  put(seen, "cgroup_throttled_ratio", 0.1);
  EXPECT_EQ(check_of(load_checks(seen), "quota-throttling").level, Level::warning);
}

TEST(MemoryChecks, LittleMemoryUsedSwapHugePagesAndSharedMemory) {
  Observation seen = healthy_machine();
  seen.memory.available_bytes = kGiB;
  seen.memory.swap_bytes = 4 * kGiB;
  seen.memory.swap_used_bytes = kGiB;
  seen.memory.huge_pages = "never";
  seen.shared_memory->total_bytes = seen.shared_memory->free_bytes = 64 << 20;
  auto checks = memory_checks(seen);
  EXPECT_EQ(check_of(checks, "free-memory").level, Level::warning);
  EXPECT_EQ(check_of(checks, "swap").level, Level::note);
  EXPECT_EQ(check_of(checks, "huge-pages").level, Level::note);
  EXPECT_EQ(check_of(checks, "shared-memory").level, Level::note);
  seen.memory.huge_pages = seen.memory.huge_pages_defrag = "always";
  seen.shared_memory->folder = "/dev";  // the nearest that is there
  checks = memory_checks(seen);
  EXPECT_EQ(check_of(checks, "huge-pages-defrag").level, Level::note);
  EXPECT_EQ(check_of(checks, "shared-memory").level, Level::unknown);
}

TEST(MemoryChecks, TheLimitOfTheContainerCountsNotTheMachine) {
  Observation seen = healthy_machine();
  seen.machine.memory_limit_bytes = kGiB / 2;
  EXPECT_EQ(check_of(memory_checks(seen), "free-memory").level, Level::warning);
}

TEST(StorageChecks, AFullDiskStopsARunAndAnAlmostFullOneIsAWarning) {
  Observation seen = healthy_machine();
  seen.folders[0].space->free_bytes = 10 << 20;
  seen.folders[1].space->free_bytes = kGiB;
  const auto checks = storage_checks(seen);
  EXPECT_EQ(check_of(checks, "folder-run-directories").level, Level::failure);
  EXPECT_EQ(check_of(checks, "folder-cache").level, Level::warning);
  EXPECT_TRUE(holds(check_of(checks, "folder-cache").advice, "TUNE_CACHE_DIR"));
}

TEST(StorageChecks, WhatCannotBeWrittenOrSeenStopsARun) {
  Observation seen = healthy_machine();
  seen.folders[0].space->is_writable = false;
  seen.folders[1].space.reset();
  const auto checks = storage_checks(seen);
  EXPECT_EQ(check_of(checks, "folder-run-directories").level, Level::failure);
  EXPECT_EQ(check_of(checks, "folder-cache").level, Level::failure);
}

TEST(StorageChecks, RemoteFoldersMemoryAndFewFilesAreTold) {
  Observation seen = healthy_machine();
  seen.folders[0].space->is_remote = true;
  seen.folders[1].space->is_memory = true;
  EXPECT_EQ(check_of(storage_checks(seen), "folder-run-directories").level, Level::note);
  EXPECT_EQ(check_of(storage_checks(seen), "folder-cache").level, Level::note);
  seen.folders[0].space->free_files = 12;
  EXPECT_EQ(check_of(storage_checks(seen), "folder-run-directories").level, Level::warning);
}

TEST(LimitChecks, AFractionOfACpuFitsNoNumberOfThreads) {
  Observation seen = healthy_machine();
  seen.machine.cgroup_cpus = 2;
  EXPECT_EQ(check_of(limit_checks(seen), "cpu-limit").level, Level::note);
  seen.machine.cgroup_cpus = 1.5;
  const Check check = check_of(limit_checks(seen), "cpu-limit");
  EXPECT_EQ(check.level, Level::warning);
  EXPECT_TRUE(holds(check.found, "1.50 of 4 CPUs")) << check.found;
  seen.machine.cgroup_cpus.reset();
  seen.machine.cpus = 2;
  EXPECT_TRUE(holds(check_of(limit_checks(seen), "cpu-limit").found, "2 of 4 CPUs (affinity)"));
}

TEST(LimitChecks, KilledProcessesTasksFilesAndVariables) {
  Observation seen = healthy_machine();
  seen.oom_kills = 3;
  seen.container.most_tasks = 100;
  seen.most_open_files = 256;
  seen.machine.variables = {"OMP_NUM_THREADS=1"};
  seen.removed_variables = {"LD_PRELOAD"};
  const auto checks = limit_checks(seen);
  EXPECT_TRUE(holds(check_of(checks, "memory-limit").found, "killed 3 processes"));
  EXPECT_EQ(check_of(checks, "task-limit").level, Level::warning);
  EXPECT_EQ(check_of(checks, "file-limit").level, Level::warning);
  const Check variables = check_of(checks, "environment-variables");
  EXPECT_EQ(variables.level, Level::note);
  EXPECT_TRUE(holds(variables.found, "OMP_NUM_THREADS=1; not handed on: LD_PRELOAD"));
  EXPECT_TRUE(holds(variables.advice, "(OMP_NUM_THREADS, ...)")) << variables.advice;
}

machine::GpuState quiet_gpu() {
  machine::GpuState gpu;
  gpu.uuid = "GPU-1";
  gpu.name = "Able";
  gpu.is_persistent = true;
  gpu.compute_mode = "shared";
  gpu.power_limit_w = gpu.usual_power_limit_w = 700;
  gpu.link_width = gpu.most_link_width = 16;
  gpu.processes = 0;
  gpu.used_ratio = 0;
  gpu.memory_bytes = 80 * kGiB;
  gpu.memory_used_bytes = kGiB / 2;
  gpu.temperature = 40;
  return gpu;
}

Observation with_gpu(const machine::GpuState& gpu) {
  Observation seen = healthy_machine();
  seen.gpus.problem.clear();
  seen.gpus.driver = {"580.95.05", 13000};
  seen.gpus.states = {gpu};
  seen.gpus.visible = 1;
  seen.installation.description->gpu = trial::GpuFacts{.name = "Able"};
  return seen;
}

TEST(GpuChecks, AQuietGpuIsOneLine) {
  const auto checks = gpu_checks(with_gpu(quiet_gpu()));
  ASSERT_EQ(checks.size(), 2U);
  EXPECT_EQ(checks[0].found, "1 GPU, driver 580.95.05, for CUDA up to 13.0");
  EXPECT_EQ(checks[1].id, "gpu-state");
  EXPECT_EQ(checks[1].level, Level::ok);
}

TEST(GpuChecks, ADriverForCuda12WillDoAndAnOlderOneWillNot) {
  Observation seen = with_gpu(quiet_gpu());
  seen.gpus.driver = {"535.104.05", 12'020};
  EXPECT_EQ(gpu_checks(seen)[0].level, Level::ok);
  seen.gpus.driver = {"470.256.02", 11'040};
  const Check check = gpu_checks(seen)[0];
  EXPECT_EQ(check.level, Level::warning);
  EXPECT_TRUE(
      holds(check.found, "for CUDA up to 11.4: too old for LibTorch, which needs CUDA 12.0"))
      << check.found;
  EXPECT_TRUE(holds(check.advice, "install driver 525 or newer")) << check.advice;
}

TEST(GpuChecks, EachThingThatIsWrongIsACheckOfItsOwn) {
  machine::GpuState gpu = quiet_gpu();
  gpu.used_ratio = 0.9;
  gpu.processes = 1;
  gpu.temperature = 88;
  gpu.is_thermally_slowed = true;
  gpu.is_power_capped = true;
  gpu.power_limit_w = 400;
  gpu.is_persistent = false;
  gpu.is_partitioned = true;
  gpu.link_width = 4;
  gpu.uncorrected_errors = 1;
  gpu.compute_mode = "prohibited";
  const auto checks = gpu_checks(with_gpu(gpu));
  EXPECT_EQ(check_of(checks, "gpu-load").level, Level::warning);
  EXPECT_EQ(check_of(checks, "gpu-heat").level, Level::warning);
  EXPECT_EQ(check_of(checks, "gpu-power").level, Level::note);
  EXPECT_TRUE(holds(check_of(checks, "gpu-power-limit").found, "400 W instead of 700 W"));
  EXPECT_EQ(check_of(checks, "gpu-persistence").level, Level::note);
  EXPECT_EQ(check_of(checks, "gpu-partitions").level, Level::note);
  EXPECT_TRUE(holds(check_of(checks, "gpu-link").found, "4 of 16 PCIe lanes"));
  EXPECT_EQ(check_of(checks, "gpu-memory-errors").level, Level::warning);
  EXPECT_EQ(check_of(checks, "gpu-compute-mode").level, Level::failure);
  EXPECT_EQ(check_of(checks, "gpu-state").found, "there is none");
  expect_whole(examine(with_gpu(gpu)));
}

TEST(GpuChecks, AGpuThatOnlyTheKernelSeesIsAFailure) {
  Observation seen = healthy_machine();
  EXPECT_EQ(check_of(gpu_checks(seen), "gpu-driver").level, Level::ok);
  seen.machine.gpus = {"NVIDIA H100"};
  seen.gpus.problem = "nvmlInit_v2: NVML code 18 (driver and library versions differ)";
  const Check check = check_of(gpu_checks(seen), "gpu-driver");
  EXPECT_EQ(check.level, Level::failure);
  EXPECT_TRUE(holds(check.found, "code 18")) << check.found;
}

TEST(GpuChecks, HiddenGpusAreTold) {
  Observation seen = with_gpu(quiet_gpu());
  seen.gpus.visible = 0;
  EXPECT_TRUE(holds(check_of(gpu_checks(seen), "gpu-driver").advice, "CUDA_VISIBLE_DEVICES"));
}

TEST(InstallationChecks, AMissingWorkerIsBuiltUnlessItWasNamed) {
  Observation seen = healthy_machine();
  seen.installation.description.reset();
  seen.installation.worker_is_missing = true;
  seen.installation.worker_problem = "is no program";
  EXPECT_EQ(check_of(installation_checks(seen), "worker").level, Level::note);
  seen.installation.worker_is_named = true;
  EXPECT_EQ(check_of(installation_checks(seen), "worker").level, Level::failure);
}

TEST(InstallationChecks, AWorkerThatDoesNotRunOrIsOfAnotherVersion) {
  Observation seen = healthy_machine();
  seen.installation.description->version = "0.0.9";
  EXPECT_EQ(check_of(installation_checks(seen), "worker").level, Level::warning);
  seen.installation.description->protocol = trial::kProtocol + 1;
  EXPECT_EQ(check_of(installation_checks(seen), "worker").level, Level::failure);
  seen.installation.description.reset();
  seen.installation.worker_problem = "exit code 127: libtorch_cpu.so is missing";
  const Check check = check_of(installation_checks(seen), "worker");
  EXPECT_EQ(check.level, Level::failure);
  EXPECT_TRUE(holds(check.found, "libtorch_cpu.so")) << check.found;
  EXPECT_TRUE(holds(check.advice, "ldd /opt/tune/tune-worker")) << check.advice;
}

TEST(InstallationChecks, AnInstalledWorkerWithoutLibTorch) {
  Observation seen = healthy_machine();
  seen.installation.description.reset();
  seen.installation.torch_is_missing = true;
  seen.installation.worker_problem = "tune-worker: no LibTorch 2.11";
  const Check check = check_of(installation_checks(seen), "worker");
  EXPECT_EQ(check.level, Level::failure);
  EXPECT_TRUE(holds(check.found, "no LibTorch 2.11")) << check.found;
  EXPECT_TRUE(holds(check.advice, "TUNE_TORCH_DIR")) << check.advice;
}

TEST(InstallationChecks, AnotherLibTorchWeakKernelsAndAGpuThatIsNotUsed) {
  Observation seen = with_gpu(quiet_gpu());
  trial::WorkerDescription& worker = *seen.installation.description;
  worker.torch_version = "2.110.0";
  worker.gpu.reset();
  worker.no_gpu_kind = "driver_too_old";
  worker.no_gpu_text = "the driver serves CUDA 12.4";
  seen.machine.cpu_flags = {"avx2", "avx512f"};
  auto checks = installation_checks(seen);
  EXPECT_EQ(check_of(checks, "libtorch").level, Level::warning) << "2.110 is not 2.11";
  EXPECT_TRUE(holds(check_of(checks, "libtorch").why, "2.8 to 2.11"));
  EXPECT_EQ(check_of(checks, "cpu-capability").level, Level::note);
  EXPECT_EQ(check_of(checks, "worker-gpu").level, Level::warning);
  EXPECT_EQ(check_of(checks, "worker-gpu").advice, "update the driver");
  seen.gpus.driver.version = "535.104.05";
  EXPECT_EQ(check_of(installation_checks(seen), "worker-gpu").advice,
            "./tune run builds it with a LibTorch for CUDA 12");
  seen.gpus.driver.version = "470.256.02";
  EXPECT_EQ(check_of(installation_checks(seen), "worker-gpu").advice, "update the driver");
  worker.torch_version = "2.10.0";
  EXPECT_EQ(check_of(installation_checks(seen), "libtorch").level, Level::ok);
  worker.cpu_capability = "DEFAULT";
  EXPECT_EQ(check_of(installation_checks(seen), "cpu-capability").level, Level::warning);
  worker.gpu = trial::GpuFacts{.name = "Able", .driver_version = 12080, .runtime_version = 13000};
  EXPECT_TRUE(holds(check_of(installation_checks(seen), "worker-gpu").found, "newer"));
}

std::string setup_file(const std::string& name) {
  std::ifstream file(std::string(SOURCE_DIR) + "/harness/setup/" + name);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(InstallationChecks, TheTestedLibTorchIsTheOneThatIsFetched) {
  EXPECT_TRUE(
      holds(setup_file("places.sh"), "kTorchVersion=" + std::string(machine::kTorchVersion) + " "));
  EXPECT_TRUE(
      holds(setup_file("torch.sh"), "torch_release=" + std::string(machine::kTorchRelease) + "\n"));
  EXPECT_TRUE(holds(setup_file("places.sh"),
                    "kOldestTorchVersion=" + std::string(machine::kOldestTorchVersion) + "\n"));
  EXPECT_TRUE(holds(setup_file("torch.sh"),
                    "([12]=" + std::to_string(machine::kOldestDriverRelease) +
                        " [13]=" + std::to_string(machine::kOldestDriverOfCuda13) + ")"));
}

}  // namespace
}  // namespace tune::doctor
