#include "report/write_reports.h"

#include "base/error.h"
#include "base/file.h"
#include "report/result_of.h"
#include "sample_result.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace tune::report {
namespace {

namespace fs = std::filesystem;

class WriteReports : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) /
              ("write-reports-" +
               std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path folder_;
};

TEST_F(WriteReports, WritesAllThreeIntoTheRunDirectory) {
  auto result = sample_result();
  result.directory = folder_;
  const auto written = write_reports(result);
  ASSERT_EQ(written.size(), 3U);
  const result::Result record = result_of(result);
  const report::Run run{record, &result};
  EXPECT_EQ(read_file(folder_ / "result.json"), render(run, Format::json));
  EXPECT_EQ(read_file(folder_ / "report.html"), render(run, Format::html));
  EXPECT_EQ(read_file(folder_ / "report.md"), render(run, Format::markdown));
}

TEST_F(WriteReports, ComplainsWhenTheDirectoryIsGone) {
  auto result = sample_result();
  result.directory = folder_ / "gone";
  EXPECT_THROW(write_reports(result), Error);
}

}  // namespace
}  // namespace tune::report
