#include "advice/filled_code.h"

#include <gtest/gtest.h>

namespace tune::advice {
namespace {

using expression::Unknown;
using expression::Value;

constexpr const char* kCode = "DataLoader(batch_size={batch_size}, num_workers={num_workers}, {})";

rule::FactTable facts_with(double batch_size) {
  rule::FactTable facts;
  facts.set("batch_size", {.result = Value::of(batch_size)});
  facts.set("num_workers", {.result = Value::of(0.0)});
  return facts;
}

TEST(FilledCode, HasWhatIsProposedElseWhatIsSet) {
  const std::vector<ProposedKnob> knobs = {
      {.name = "num_workers", .from = "0", .to = trial::KnobValue(std::int64_t{3})}};
  EXPECT_EQ(filled_code(kCode, knobs, facts_with(65'536)),
            "DataLoader(batch_size=65536, num_workers=3, {})");
  EXPECT_EQ(filled_code(kCode, {}, facts_with(64)), "DataLoader(batch_size=64, num_workers=0, {})");
}

TEST(FilledCode, LeavesOpenWhatIsNotKnown) {
  const std::vector<ProposedKnob> knobs = {{.name = "num_workers", .reason = "no cores"}};
  EXPECT_EQ(filled_code(kCode, knobs, {}), "DataLoader(batch_size=..., num_workers=..., {})");
}

TEST(FilledCode, IsTheTextWhereNothingIsToBeFilled) {
  EXPECT_EQ(filled_code("", {}, {}), "");
  EXPECT_EQ(filled_code("x.to(device)", {}, {}), "x.to(device)");
}

}  // namespace
}  // namespace tune::advice
