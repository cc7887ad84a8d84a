#include "measure/doctor/checks.h"

#include "expect_whole.h"
#include "healthy_machine.h"
#include "measure/doctor/checkup.h"

#include <gtest/gtest.h>

namespace tune::doctor {
namespace {

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

}  // namespace
}  // namespace tune::doctor
