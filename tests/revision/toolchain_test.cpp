#include "revision/toolchain.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace tune::revision {
namespace {

TEST(Toolchain, IsTheSameUntilSomethingOfItChanges) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path();
  const std::string before = describe_toolchain(folder, nullptr);
  EXPECT_NE(before.find("== cmake\n"), std::string::npos);
  EXPECT_EQ(describe_toolchain(folder, nullptr), before);
  setenv("CXXFLAGS", "-O1 -DTUNE_TOOLCHAIN_TEST", 1);
  const std::string after = describe_toolchain(folder, nullptr);
  unsetenv("CXXFLAGS");
  EXPECT_NE(after, before);
  EXPECT_NE(after.find("-DTUNE_TOOLCHAIN_TEST"), std::string::npos);
}

TEST(Toolchain, NamesALauncherBesideTheCompiler) {
  setenv("CXX", "echo launcher", 1);
  const std::string text = describe_toolchain(std::filesystem::temp_directory_path(), nullptr);
  unsetenv("CXX");
  EXPECT_NE(text.find("== echo launcher\nlauncher --version\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace tune::revision
