#include "base/file.h"

#include "base/error.h"

#include <gtest/gtest.h>

namespace {

TEST(File, IsReplacedWholeAndReadBack) {
  const auto path = std::filesystem::path(testing::TempDir()) / "file_test.txt";
  tune::write_file_synced(path, "old");
  tune::write_file_synced(path, std::string(200'000, 'n'));
  EXPECT_EQ(tune::read_file(path), std::string(200'000, 'n'));
  EXPECT_THROW(tune::read_file(path, 1000), tune::Error);
}

TEST(File, ThatCannotBeReadIsNamed) {
  try {
    tune::read_file("/nonexistent/x.yaml");
    FAIL();
  } catch (const tune::Error& error) {
    EXPECT_STREQ(error.what(), "/nonexistent/x.yaml: cannot be opened (No such file or directory)");
  }
  EXPECT_THROW(tune::read_file("/"), tune::Error);
}

}  // namespace
