#include "machine/gpu_driver.h"

#include "changing_root.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <string>

namespace tune::machine {

namespace {

class DriverSigns : public ChangingRoot {
 protected:
  std::string version_in(const std::string& text) const {
    write("proc/driver/nvidia/version", text);
    return driver_version(root_);
  }
};

TEST_F(DriverSigns, AnyOfThemShowsADriver) {
  EXPECT_FALSE(shows_driver(root_));
  for (const char* const sign :
       {"proc/driver/nvidia/version", "dev/nvidiactl", "usr/lib/wsl/lib/libcuda.so.1"}) {
    write(sign, "");
    EXPECT_TRUE(shows_driver(root_)) << sign;
    std::filesystem::remove(root_ / sign);
  }
}

TEST_F(DriverSigns, TheVersionIsReadFromBothKindsOfModule) {
  EXPECT_EQ(driver_version(root_), "");
  EXPECT_EQ(version_in("NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.104.05  Sat Aug 19 "
                       "01:15:15 UTC 2023\nGCC version:  gcc version 12.2.0\n"),
            "535.104.05");
  EXPECT_EQ(version_in("NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.65.06  "
                       "Release Build  (dvs-builder)\n"),
            "580.65.06");
  EXPECT_EQ(version_in("GCC version: none\n"), "");
  EXPECT_EQ(driver_release("580.65.06"), 580);
  EXPECT_EQ(driver_release("535"), 535);
  EXPECT_EQ(driver_release(""), std::nullopt);
}

TEST_F(DriverSigns, OnlyFoldersOfTheDriverAreKept) {
  write("a/libcuda.so.1", "");
  write("b/libcuda.so", "");
  write("c/libcuda.so.1", "");
  const std::string a = (root_ / "a").string(), b = (root_ / "b").string();
  const std::string c = (root_ / "c").string();
  EXPECT_EQ(driver_folders(b + ":" + a + ";" + c + ":"), a + ":" + c);
  EXPECT_EQ(driver_folders(b), "");
  EXPECT_EQ(driver_folders(""), "");
  std::filesystem::current_path(root_);
  EXPECT_EQ(driver_folders("a:./a::" + a), a) << "workers have another working folder";
  std::filesystem::current_path("/");
}

using Indices = std::vector<std::size_t>;

const std::vector<std::string> kUuids = {"GPU-aa11", "GPU-aa22", "GPU-bb33"};

TEST(VisibleGpus, WithoutTheVariableAllAreSeen) {
  EXPECT_EQ(visible_gpus(std::nullopt, kUuids), (Indices{0, 1, 2}));
  EXPECT_EQ(visible_gpus(std::nullopt, {}), Indices{});
}

TEST(VisibleGpus, NumbersAndBeginningsOfUuidsChooseAndOrder) {
  EXPECT_EQ(visible_gpus("2,0", kUuids), (Indices{2, 0}));
  EXPECT_EQ(visible_gpus(" 1 , GPU-bb", kUuids), (Indices{1, 2}));
  EXPECT_EQ(visible_gpus("GPU-aa22", kUuids), (Indices{1}));
}

TEST(VisibleGpus, TheListEndsAtWhatNamesNone) {
  EXPECT_EQ(visible_gpus("", kUuids), Indices{});
  EXPECT_EQ(visible_gpus("-1", kUuids), Indices{});
  EXPECT_EQ(visible_gpus("0,9,1", kUuids), (Indices{0}));
  EXPECT_EQ(visible_gpus("1,GPU-aa,0", kUuids), (Indices{1})) << "fits two";
  EXPECT_EQ(visible_gpus("MIG-0", kUuids), Indices{});
}

TEST(VisibleGpus, OneThatIsNamedTwiceHidesAll) {
  EXPECT_EQ(visible_gpus("0,1,0", kUuids), Indices{});
}

TEST(VisibleGpus, UuidsOfCudaReadAsThoseOfTheDriver) {
  EXPECT_EQ(gpu_uuid_text({0x8a, 0x6b, 0x1c, 0x2d, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 255}),
            "GPU-8a6b1c2d-0001-0203-0405-060708090aff");
}

}  // namespace

}  // namespace tune::machine
