#include "base/file.h"
#include "machine/probe/probe_record.h"
#include "measure/runner/run_program.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <unistd.h>

namespace tune::worker {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kLongNs = 60'000'000'000;

TEST(Probe, MeasuresMatrixProductsAndSmallOperators) {
  const fs::path file =
      fs::path(testing::TempDir()) / ("tune-worker-probe-" + std::to_string(getpid()) + ".json");
  const runner::ProgramRun run =
      runner::run_program(WORKER_PROGRAM, "--probe-quick=" + file.string(), kLongNs, nullptr);
  ASSERT_EQ(run.problem(), "") << run.output;
  std::set<std::string> measured;
  int copies = 0;
  for (const probe::Number& number : probe::parse_numbers(read_file(file), "probe")) {
    EXPECT_NE(number.value.has_value(), !number.reason.empty()) << number.id;
    if (number.id == "h2d_rate" || number.id == "d2h_rate") {
      ++copies;
      EXPECT_EQ(number.reason.find("this worker"), std::string::npos) << number.reason;
      EXPECT_TRUE(number.value || number.reason.ends_with(")"))
          << "of what kind: " << number.reason;
    }
    if (number.value) {
      EXPECT_GT(*number.value, 0) << number.id;
      measured.insert(number.id + ", " + number.label);
    }
  }
  EXPECT_EQ(copies, 2);
  for (const char* const wanted : {"matmul_flop_rate, fp32, 1 thread",
                                   "matmul_flop_rate, bf16, 1 thread",
                                   "operator_time, add_ of one element",
                                   "operator_time, add of one element with a gradient"}) {
    EXPECT_TRUE(measured.contains(wanted)) << wanted;
  }
  fs::remove(file);
}

TEST(Probe, FailsWithAReasonWhereItCannotWrite) {
  const runner::ProgramRun run = runner::run_program(
      WORKER_PROGRAM, "--probe-quick=/no/such/folder/probe.json", kLongNs, nullptr);
  EXPECT_NE(run.problem().find("exit code 1: tune-worker: /no/such/folder"), std::string::npos)
      << run.problem();
}

}  // namespace
}  // namespace tune::worker
