#include "approved.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace tune::report {

void expect_approved(const std::string& file, const std::string& text) {
  const auto path = std::filesystem::path(SOURCE_DIR) / file;
  const char* const approve = std::getenv("TUNE_APPROVE");
  if (approve != nullptr && std::string(approve) == "1") {
    std::ofstream(path, std::ios::binary) << text;
    return;
  }
  std::ifstream stored(path, std::ios::binary);
  ASSERT_TRUE(stored) << file << " is missing; TUNE_APPROVE=1 writes it";
  std::istringstream now(text);
  std::string expected, actual;
  for (int line = 1; std::getline(stored, expected); ++line) {
    ASSERT_TRUE(std::getline(now, actual)) << file << ":" << line << ": the text ends before";
    ASSERT_EQ(actual, expected) << file << ":" << line << " (TUNE_APPROVE=1 accepts the new text)";
  }
  EXPECT_FALSE(std::getline(now, actual)) << file << " ends before: " << actual;
}

}  // namespace tune::report
