#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

namespace tune::machine {

/// A separate root whose files can be rewritten while a reader keeps them open.
class ChangingRoot : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove_all(root_); }

  void write(const std::string& path, const std::string& text) const {
    std::filesystem::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }

  const std::filesystem::path root_ =
      std::filesystem::path(testing::TempDir()) /
      ("tune-root-" + std::to_string(getpid()) + "-" +
       testing::UnitTest::GetInstance()->current_test_info()->name());
};

}  // namespace tune::machine
