// Names that other parts deliver must have the type that the table of further names gives them.

#include "advice/rule/known_name.h"

#include "advice/rule/catalog.h"
#include "advice/rule/further_names.h"
#include "base/expression/tree.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace tune::rule {

namespace {

namespace fs = std::filesystem;

TEST(FurtherNames, HaveTheTypeOfTheMetricThatDeliversThem) {
  for (const FurtherName& further : further_names()) {
    const KnownName* const known = find_known_name(further.name);
    ASSERT_NE(known, nullptr) << further.name;
    EXPECT_TRUE(known->type.same_as(further.known.type)) << further.name;
  }
}

TEST(FurtherNames, StandOnce) {
  std::set<std::string_view> seen;
  for (const FurtherName& further : further_names()) {
    EXPECT_TRUE(seen.insert(further.name).second) << further.name;
  }
}

std::string all_sources(const std::vector<std::string>& folders) {
  std::string text;
  for (const std::string& folder : folders) {
    for (const auto& entry : fs::directory_iterator(fs::path(SOURCE_DIR) / "harness" / folder)) {
      const std::string name = entry.path().filename().string();
      // These list names: all, and why nothing measures some; those that a slow profiler spoils.
      if (entry.path().extension() == ".cpp" && name != "further_names.cpp" &&
          name != "distortion.cpp") {
        std::ifstream file(entry.path());
        text.append(std::istreambuf_iterator<char>(file), {});
      }
    }
  }
  return text;
}

// Names are set as literals, so that this finds out.
TEST(FurtherNames, AreSetSomewhereOrSaidToBeMeasuredByNothing) {
  const std::string sources = all_sources(
      {"trace/metric", "machine/telemetry", "advice/rule", "advice", "measure/campaign"});
  for (const FurtherName& further : further_names()) {
    const bool is_set = sources.find('"' + std::string(further.name) + '"') != std::string::npos;
    EXPECT_EQ(is_set, further.known.origin != Origin::nothing) << further.name;
  }
  EXPECT_STREQ(why_missing(Origin::nothing), "nothing measures it yet");
}

// A rule whose condition waits for a name that nothing measures never says anything, whatever is
// run. Which ones do so is a decision: it is written down here.

using expression::Node;
using expression::Operation;

/// What a part of an expression may come to, where every name that something measures is known.
struct Outcomes {
  bool is_true = false, is_false = false, is_known = false, is_unknown = false;
};

constexpr Outcomes kUnknown = {.is_unknown = true};
constexpr Outcomes kAnything = {.is_true = true, .is_false = true, .is_known = true};

bool is_measured(const std::string& name) {
  const KnownName* const known = find_known_name(name);
  return known == nullptr || known->origin != Origin::nothing;  // a limit is always known
}

Outcomes conjunction(const Outcomes& a, const Outcomes& b) {
  return {.is_true = a.is_true && b.is_true,
          .is_false = a.is_false || b.is_false,
          .is_unknown = (a.is_unknown && (b.is_true || b.is_unknown)) ||
                        (b.is_unknown && (a.is_true || a.is_unknown))};
}

Outcomes negation(const Outcomes& a) {
  return {.is_true = a.is_false, .is_false = a.is_true, .is_unknown = a.is_unknown};
}

class Reachable {
 public:
  explicit Reachable(const expression::Expression& condition) {
    for (const Node& node : condition.tree().nodes) {
      found_.push_back(of(node));
    }
  }

  const Outcomes& whole() const { return found_.back(); }

 private:
  const Outcomes& operand(const Node& node, std::size_t i) const {
    return found_[node.operands[i]];
  }

  Outcomes of(const Node& node) const {
    switch (node.operation) {
      case Operation::literal:
        return kAnything;
      case Operation::name:
        return is_measured(node.name) ? kAnything : kUnknown;
      case Operation::known:
        return {.is_true = is_measured(node.name), .is_false = true};
      case Operation::logical_not:
        return negation(operand(node, 0));
      case Operation::logical_and:
        return conjunction(operand(node, 0), operand(node, 1));
      case Operation::logical_or:
        return negation(conjunction(negation(operand(node, 0)), negation(operand(node, 1))));
      default:
        break;
    }
    for (std::size_t i = 0; i < node.operands.size(); ++i) {
      if (!operand(node, i).is_known) {
        return kUnknown;
      }
    }
    return kAnything;
  }

  std::vector<Outcomes> found_;
};

TEST(DecidableNames, NoRuleWaitsForWhatNothingMeasures) {
  for (const Rule& rule : read_catalog(shipped_rules()).rules) {
    const Outcomes when = Reachable(rule.when).whole();
    const bool applies = !rule.applies || Reachable(*rule.applies).whole().is_true;
    EXPECT_TRUE(when.is_true && when.is_false && applies) << rule.id << ": " << rule.when.text();
  }
}

TEST(DecidableNames, AreFoundThroughKnownAndThroughOr) {
  const auto outcomes = [](const std::string& text) {
    return Reachable(expression::parse_expression(text, expression::Place{})).whole();
  };
  EXPECT_FALSE(outcomes("extra_h2d_exposed_ratio > 1").is_true);
  EXPECT_TRUE(outcomes("extra_h2d_exposed_ratio > 1").is_unknown);
  EXPECT_TRUE(outcomes("data_wait_ratio > 1 or extra_h2d_exposed_ratio > 1").is_true);
  EXPECT_FALSE(outcomes("data_wait_ratio > 1 or extra_h2d_exposed_ratio > 1").is_false);
  EXPECT_TRUE(
      outcomes("data_wait_ratio > 1 or known(extra_h2d_exposed_ratio) and extra_h2d_exposed_ratio > 1")
          .is_false);
}

}  // namespace

}  // namespace tune::rule
