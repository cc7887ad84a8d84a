#include "machine/machine_facts.h"

#include "machine/container.h"

#include <gtest/gtest.h>

#include <array>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

namespace tune::machine {

namespace {

namespace fs = std::filesystem;

fs::path root(const char* name) {
  return fs::path(SOURCE_DIR) / "tests/machine" / name;
}

TEST(MachineFacts, ReadsAMachineWithNestedControlGroups) {
  const MachineFacts facts = read_machine_facts(root("root_v2"));
  EXPECT_EQ(facts.cpu_model, "Intel(R) Xeon(R) Processor");
  const std::vector<std::string> flags = {"sse4_2",
                                          "avx",
                                          "avx2",
                                          "f16c",
                                          "avx512f",
                                          "avx_ne_convert",
                                          "avx512_bf16",
                                          "amx_tile",
                                          "amx_bf16",
                                          "amx_fp16"};
  EXPECT_EQ(facts.cpu_flags, flags);
  EXPECT_EQ(facts.logical_cpus, 4);
  EXPECT_EQ(facts.physical_cores, 3);
  EXPECT_EQ(facts.cgroup_cpus, 1.5);  // of the group above ours
  EXPECT_EQ(facts.cpus, 2);           // affinity says 3, the quota 1.5
  EXPECT_EQ(facts.numa_nodes, 2);
  EXPECT_EQ(facts.first_node_cpus, "0-1") << "of the three that it may use";
  EXPECT_EQ(facts.memory_bytes, 25165824LL * 1024);
  EXPECT_EQ(facts.memory_limit_bytes, 8589934592);
  EXPECT_EQ(facts.governor, "performance");
  EXPECT_EQ(facts.transparent_huge_pages, "madvise");
  EXPECT_DOUBLE_EQ(facts.load1, 1.54);
  EXPECT_EQ(facts.kernel, "6.1.0-18-amd64");
  EXPECT_EQ(facts.distribution, "Debian GNU/Linux 12 (bookworm)");
  EXPECT_EQ(facts.device, "cpu");
  EXPECT_EQ(facts.gpus, std::vector<std::string>{"NVIDIA H100 80GB HBM3"});
}

TEST(MachineFacts, ReadsVersionOneControlGroups) {
  const MachineFacts facts = read_machine_facts(root("root_v1"));
  EXPECT_EQ(facts.logical_cpus, 2);
  EXPECT_EQ(facts.physical_cores, 2);  // unknown: every CPU counts as a core
  EXPECT_EQ(facts.cgroup_cpus, 0.5);
  EXPECT_EQ(facts.cpus, 1);
  EXPECT_EQ(facts.memory_limit_bytes, 536870912);
  EXPECT_FALSE(facts.governor.has_value());
  EXPECT_FALSE(facts.transparent_huge_pages.has_value());
}

// Some containers and WSL 2 show nothing in /proc/driver/nvidia.
TEST(MachineFacts, ADriverThatProcDoesNotTellOfIsAskedForItsGpus) {
  const fs::path bare = fs::path(testing::TempDir()) / ("tune-facts-" + std::to_string(getpid()));
  fs::create_directories(bare / "dev");
  EXPECT_TRUE(read_machine_facts(bare, FAKE_NVML).gpus.empty()) << "no sign of a driver";
  std::ofstream(bare / "dev/nvidiactl").put('\n');
  EXPECT_EQ(read_machine_facts(bare, FAKE_NVML).gpus, (std::vector<std::string>{"Able", "Plain"}));
  EXPECT_TRUE(read_machine_facts(bare, "libno-such-nvml.so.1").gpus.empty());
  fs::remove_all(bare);
}

TEST(MachineFacts, AnEmptyRootLeavesEveryDefault) {
  const MachineFacts facts = read_machine_facts("/no/such/root");
  EXPECT_EQ(facts.cpu_model, "");
  EXPECT_EQ(facts.cpus, 0);
  EXPECT_EQ(facts.memory_limit_bytes, 0);
  EXPECT_EQ(facts.load1, 0);
  EXPECT_TRUE(facts.gpus.empty());
}

TEST(MachineFacts, HostileFilesNeitherCrashNorLeadOutOfTheRoot) {
  const MachineFacts facts = read_machine_facts(root("root_hostile"));
  EXPECT_EQ(facts.logical_cpus, 0);
  EXPECT_EQ(facts.cpus, 0);
  EXPECT_EQ(facts.memory_bytes, 0);
  EXPECT_EQ(facts.load1, 0);
  EXPECT_FALSE(facts.governor.has_value());
  EXPECT_FALSE(facts.transparent_huge_pages.has_value());
  EXPECT_EQ(facts.distribution.size(), 256U);
}

TEST(MachineFacts, APipeInsteadOfAFileDoesNotBlock) {
  const fs::path folder = fs::temp_directory_path() / ("facts_test." + std::to_string(getpid()));
  fs::create_directories(folder / "proc");
  ASSERT_EQ(mkfifo((folder / "proc/cpuinfo").c_str(), 0600), 0);
  EXPECT_EQ(read_machine_facts(folder).logical_cpus, 0);
  fs::remove_all(folder);
}

TEST(MachineFacts, TheRealMachineHasACpuAndMemory) {
  const MachineFacts facts = read_machine_facts("/");
  EXPECT_GE(facts.cpus, 1);
  EXPECT_GE(facts.logical_cpus, facts.cpus);
  EXPECT_GT(facts.memory_bytes, 0);
  EXPECT_LE(facts.memory_limit_bytes, facts.memory_bytes);
  EXPECT_FALSE(facts.kernel.empty());
}

TEST(OomKills, AreReadFromBothVersionsOfControlGroups) {
  EXPECT_EQ(read_oom_kills(root("root_v2")), 3);
  EXPECT_EQ(read_oom_kills(root("root_v1")), 5);
  EXPECT_FALSE(read_oom_kills(root("root_hostile")).has_value());
}

TEST(Environment, OnlyWhatChangesTheSpeedIsRecorded) {
  const std::string long_one = "OMP_X=" + std::string(1000, 'x');
  const std::array<const char*, 6> environment = {"SECRET_TOKEN=abc",
                                                  "OMP_NUM_THREADS=2",
                                                  "MALLOC_ARENA_MAX=1",
                                                  "COMP_A=1",
                                                  long_one.c_str(),
                                                  nullptr};
  const std::vector<std::string> expected = {
      "MALLOC_ARENA_MAX=1", "OMP_NUM_THREADS=2", long_one.substr(0, 256)};
  EXPECT_EQ(performance_variables(environment.data()), expected);
  EXPECT_TRUE(performance_variables(nullptr).empty());
}

using Flags = std::vector<std::string>;

TEST(MachineFacts, OneDnnIsKeptFromUnitsByAVariable) {
  MachineFacts machine;
  machine.cpu_flags = {"avx2", "avx512f", "avx512_bf16", "amx_tile", "amx_bf16"};
  for (const char* const isa : {"", "DEFAULT", "AVX512_CORE_AMX", "avx10_1_512_amx"}) {
    EXPECT_EQ(within_isa(machine, isa).cpu_flags, machine.cpu_flags) << isa;
  }
  const Flags without = {"avx2", "avx512f", "amx_tile"};
  for (const char* const isa : {"AVX2", "avx512_core", "AVX512_CORE_VNNI"}) {
    EXPECT_EQ(within_isa(machine, isa).cpu_flags, without) << isa;
  }
  EXPECT_EQ(within_isa(machine, "AVX512_CORE_BF16").cpu_flags,
            (Flags{"avx2", "avx512f", "avx512_bf16", "amx_tile"}));
  machine.variables = {"OMP_NUM_THREADS=2", "ONEDNN_MAX_CPU_ISA=AVX2"};
  EXPECT_EQ(within_isa(machine, "").cpu_flags, without);
  EXPECT_EQ(within_isa(machine, "DEFAULT").cpu_flags, machine.cpu_flags);
}

}  // namespace

}  // namespace tune::machine
