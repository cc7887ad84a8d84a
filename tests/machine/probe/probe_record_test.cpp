#include "machine/probe/probe_record.h"

#include "base/error.h"
#include "base/file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <unistd.h>

namespace tune::probe {
namespace {

namespace fs = std::filesystem;

class ProbeRecordTest : public testing::Test {
 protected:
  void TearDown() override { fs::remove_all(folder_); }
  fs::path file() const { return probe_file(folder_, "abc"); }

  const fs::path folder_ = fs::path(testing::TempDir()) /
                           ("tune-probe-" + std::to_string(getpid()) + "-" +
                            testing::UnitTest::GetInstance()->current_test_info()->name());
};

ProbeRecord sample() {
  ProbeRecord record;
  record.machine = "abc";
  record.cpu_model = "Some CPU";
  record.utc = "2026-11-22T09:00:00Z";
  record.tune_version = "0.1.0";
  record.seconds = 12.5;
  record.numbers = {{"memory_copy_rate", "1 thread", "B/s", 1.5e10, 0.02, 9, ""},
                    not_measured({"h2d_rate", "", "B/s"}, "no GPU")};
  return record;
}

TEST_F(ProbeRecordTest, IsReadAsItWasWritten) {
  EXPECT_EQ(parse_probe(to_json(sample()), "x"), sample());
  EXPECT_EQ(parse_numbers(numbers_to_json(sample().numbers), "x"), sample().numbers);
}

TEST_F(ProbeRecordTest, IsStoredForItsMachine) {
  EXPECT_FALSE(load_probe(folder_, "abc").has_value());
  EXPECT_EQ(store_probe(folder_, sample()), fs::path());
  EXPECT_EQ(load_probe(folder_, "abc"), sample());
  EXPECT_FALSE(load_probe(folder_, "other").has_value());
  EXPECT_EQ(store_probe(folder_, sample()), fs::path()) << "replaces the older one";
}

TEST_F(ProbeRecordTest, ADamagedStoreIsToldAndKept) {
  for (const char* const name : {"abc.damaged.json", "abc.damaged-2.json"}) {
    fs::create_directories(file().parent_path());
    write_file_synced(file(), "rubbish");
    EXPECT_THROW((void)load_probe(folder_, "abc"), Error);
    const fs::path kept = store_probe(folder_, sample());
    EXPECT_EQ(kept.filename(), name);
    EXPECT_EQ(read_file(kept), "rubbish");
    EXPECT_EQ(load_probe(folder_, "abc"), sample());
  }
}

TEST_F(ProbeRecordTest, AStoreOfAnotherMachineIsToldAndKept) {
  ProbeRecord foreign = sample();
  foreign.machine = "elsewhere";
  fs::create_directories(file().parent_path());
  write_file_synced(file(), to_json(foreign));
  try {
    (void)load_probe(folder_, "abc");
    FAIL() << "it was accepted";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("is from another machine"), std::string::npos);
  }
  const fs::path kept = store_probe(folder_, sample());
  EXPECT_EQ(parse_probe(read_file(kept), "x").machine, "elsewhere");
}

TEST_F(ProbeRecordTest, RefusesAnotherSchemaAndWhatIsNoNumber) {
  EXPECT_THROW((void)parse_probe("{}", "x"), Error);
  EXPECT_THROW((void)parse_probe(R"({"schema": "tune-probe/2"})", "x"), Error);
  EXPECT_THROW((void)parse_numbers(R"({"numbers": [{"id": 5}]})", "x"), Error);
  EXPECT_THROW((void)parse_numbers("", "x"), Error);
}

TEST_F(ProbeRecordTest, IsAskedByNameAndLabel) {
  EXPECT_EQ(value_of(sample(), "memory_copy_rate", "1 thread"), 1.5e10);
  EXPECT_FALSE(value_of(sample(), "memory_copy_rate", "2 threads").has_value());
  EXPECT_FALSE(value_of(sample(), "h2d_rate", "").has_value());
}

}  // namespace
}  // namespace tune::probe
