#include "history/past_gates.h"

#include "sample_entry.h"

#include <gtest/gtest.h>

namespace tune::history {
namespace {

Entry gate(int number, const std::string& verdict, const std::string& why) {
  Entry entry = sample_entry(number);
  entry.kind = "gate";
  entry.id = number;
  entry.verdict = verdict;
  entry.headline = why.empty() ? verdict : verdict + ": " + why;
  entry.setting = "HEAD";
  entry.measures = {sample_measure("throughput", 100),
                    sample_measure("delta_throughput", -0.18, "ratio")};
  return entry;
}

TEST(PastGates, AreThoseOfTheScenarioAndTheMachineBeforeItNewestFirst) {
  Entry own = sample_entry(50);
  Entry other = gate(3, "PASS", ""), elsewhere = gate(4, "PASS", "");
  other.scenario = "resnet18";
  elsewhere.machine = "64 CPUs";
  const std::vector<PastGate> gates =
      gates_before(own,
                   {gate(1, "PASS", "certainly fine"),
                    sample_entry(2),
                    other,
                    elsewhere,
                    gate(7, "INCONCLUSIVE", "ENV_SHIFT: it differed"),
                    gate(50, "PASS", ""),
                    gate(51, "PASS", "")});
  ASSERT_EQ(gates.size(), 2U);
  EXPECT_EQ(gates[0].id, 7);
  EXPECT_EQ(gates[0].verdict, "INCONCLUSIVE");
  EXPECT_EQ(gates[0].reason, "ENV_SHIFT: it differed");
  EXPECT_EQ(gates[0].candidate, "HEAD");
  ASSERT_EQ(gates[0].changes.size(), 1U);
  EXPECT_EQ(gates[0].changes[0].metric, "throughput");
  EXPECT_EQ(gates[0].changes[0].ratio, -0.18);
  EXPECT_EQ(gates[1].id, 1);
}

TEST(PastGates, AreFew) {
  std::vector<Entry> entries;
  for (int i = 0; i < 40; ++i) {
    entries.push_back(gate(i, "PASS", ""));
  }
  const auto gates = gates_before(sample_entry(100), entries);
  ASSERT_EQ(gates.size(), kMostGates);
  EXPECT_EQ(gates.front().id, 39);
}

}  // namespace
}  // namespace tune::history
