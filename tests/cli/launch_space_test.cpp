#include "cli/launch_space.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>
#include <vector>

namespace tune::cli {
namespace {

namespace fs = std::filesystem;

class LaunchSpaceTest : public testing::Test {
 protected:
  void TearDown() override { fs::remove_all(root_); }

  void install(const std::string& file) const {
    fs::create_directories(root_ / "usr/lib64");
    std::ofstream(root_ / "usr/lib64" / file) << "a library";
  }

  std::vector<std::string> values_of(const std::string& variable) const {
    for (const auto& [name, values] : launch_space(machine_, root_).variables) {
      if (name == variable) {
        return values;
      }
    }
    return {};
  }

  using Words = std::vector<std::string>;
  machine::MachineFacts machine_{.cpus = 8, .physical_cores = 4};
  const fs::path root_ =
      fs::path(testing::TempDir()) / ("tune-launch-space-" + std::to_string(getpid()));
};

TEST_F(LaunchSpaceTest, TriesLibrariesThatAreInstalledAloneAndTogether) {
  install("libjemalloc.so.2");
  install("libiomp5.so");
  EXPECT_EQ(values_of("LD_PRELOAD"), (Words{"none", "jemalloc", "iomp5", "jemalloc:iomp5"}));
  EXPECT_EQ(values_of("KMP_BLOCKTIME"), (Words{"none", "1"}));
  EXPECT_EQ(values_of("MALLOC_CONF").size(), 2U);
}

TEST_F(LaunchSpaceTest, NamesThePackageOfWhatIsMissing) {
  const LaunchSpace space = launch_space(machine_, root_);
  EXPECT_EQ(values_of("LD_PRELOAD"), Words{});
  EXPECT_EQ(values_of("KMP_BLOCKTIME"), Words{});
  EXPECT_NE(std::find(space.missing.begin(),
                      space.missing.end(),
                      "jemalloc is not installed (apt-get install libjemalloc2)"),
            space.missing.end());
}

TEST_F(LaunchSpaceTest, ThreadsAreCoresCpusAndHalfOfTheCores) {
  EXPECT_EQ(values_of("OMP_NUM_THREADS"), (Words{"none", "4", "8", "2"}));
  machine_.cpus = 1;
  EXPECT_EQ(values_of("OMP_NUM_THREADS"), Words{});
}

TEST_F(LaunchSpaceTest, HugePagesAreTriedWhereTheKernelHasThem) {
  EXPECT_EQ(values_of("THP_MEM_ALLOC_ENABLE"), Words{});
  machine_.transparent_huge_pages = "madvise";
  EXPECT_EQ(values_of("THP_MEM_ALLOC_ENABLE"), (Words{"none", "1"}));
  EXPECT_EQ(values_of("GLIBC_TUNABLES").size(), 3U);
}

TEST_F(LaunchSpaceTest, InstructionSetsAreTriedBelowThoseOfTheCpu) {
  EXPECT_EQ(values_of("ONEDNN_MAX_CPU_ISA"), Words{});
  machine_.cpu_flags = {"avx2", "avx512f"};
  EXPECT_EQ(values_of("ONEDNN_MAX_CPU_ISA"), (Words{"none", "AVX2"}));
  machine_.device = "cuda";
  EXPECT_EQ(values_of("ONEDNN_MAX_CPU_ISA"), Words{});
  EXPECT_EQ(values_of("PYTORCH_CUDA_ALLOC_CONF"), (Words{"none", "expandable_segments:True"}));
}

}  // namespace
}  // namespace tune::cli
