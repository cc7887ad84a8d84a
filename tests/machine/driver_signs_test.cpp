#include "machine/driver_signs.h"

#include "changing_root.h"

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

}  // namespace
}  // namespace tune::machine
