#include "report/reason_code.h"

#include "base/file.h"
#include "measure/gate/fingerprint.h"
#include "report/run_comparison.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace tune::report {
namespace {

std::string help_text() {
  return read_file(std::string(SOURCE_DIR) + "/harness/cli/help/reason-codes.txt");
}

TEST(ReasonCodes, AreExplainedInTheHelpInTheSameWords) {
  const std::string help = help_text();
  std::size_t before = 0;
  for (const ReasonCode& each : all_reason_codes()) {
    const std::string head = "\n  " + std::string(each.code) + " ";
    const std::size_t at = help.find(head);
    ASSERT_NE(at, std::string::npos) << each.code;
    EXPECT_GT(at, before) << each.code << " stands in another order";
    before = at;
    const std::string line = help.substr(at + 1, help.find('\n', at + 1) - at - 1);
    EXPECT_TRUE(line.ends_with(" " + std::string(each.meaning))) << line;
  }
}

TEST(ReasonCodes, AreThereForEveryRelation) {
  std::set<std::string> codes;
  for (const Relation relation : {Relation::no_interval,
                                  Relation::within_noise,
                                  Relation::equal,
                                  Relation::faster,
                                  Relation::slower,
                                  Relation::higher,
                                  Relation::lower}) {
    const std::string code = code_of(relation);
    EXPECT_FALSE(meaning_of(code).empty());
    codes.insert(code);
  }
  EXPECT_EQ(codes.size(), 7U);
  EXPECT_TRUE(codes.contains("WITHIN_NOISE"));
}

TEST(ReasonCodes, AreThereForEverythingThatTwoFingerprintsMayDifferIn) {
  gate::Fingerprint a, b;
  a.device = "cpu", b.device = "cuda";
  a.cpu_model = "one", b.cpu_model = "other";
  a.cpus = 2, b.cpus = 4;
  a.gpus = {"H100"};
  a.variables = {"OMP_NUM_THREADS=2"};
  a.torch_version = "2.11.0", b.torch_version = "2.10.0";
  a.cpu_capability = "AVX2", b.cpu_capability = "AVX512";
  a.scenario_sha256 = "1", b.scenario_sha256 = "2";
  a.data_sha256 = "1", b.data_sha256 = "2";
  std::string codes;
  for (const gate::Difference& each : gate::differences(a, b)) {
    codes += std::string(code_of_difference(each.what)) + " ";
    EXPECT_FALSE(meaning_of(code_of_difference(each.what)).empty());
  }
  EXPECT_EQ(codes,
            "OTHER_MACHINE OTHER_CPU OTHER_MACHINE OTHER_MACHINE OTHER_ENVIRONMENT OTHER_LIBRARY "
            "OTHER_LIBRARY OTHER_SCENARIO OTHER_DATA ");
  EXPECT_EQ(code_of_difference("tune-worker"), "OTHER_PROGRAM");
}

}  // namespace
}  // namespace tune::report
