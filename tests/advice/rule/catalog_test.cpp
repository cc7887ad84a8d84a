#include "advice/rule/catalog.h"

#include "base/error.h"
#include "sample_rule.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace tune::rule {
namespace {

namespace fs = std::filesystem;

RuleFile file(const std::string& id, const std::string& more = "") {
  return {"rules/" + id + ".yaml", short_rule(id, more)};
}

std::string complaints(const std::vector<RuleFile>& files) {
  try {
    read_catalog(files);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(Catalog, PutsValidityFirstThenSortsById) {
  std::string validity = short_rule("zeta");
  validity.replace(validity.find("group: input"), 12, "group: validity");
  const Catalog catalog = read_catalog({file("b"), file("a"), {"rules/zeta.yaml", validity}});
  ASSERT_EQ(catalog.rules.size(), 3U);
  EXPECT_EQ(catalog.rules[0].id, "zeta");
  EXPECT_EQ(catalog.rules[1].id, "a");
  EXPECT_EQ(catalog.find("b"), &catalog.rules[2]);
  EXPECT_EQ(catalog.find("c"), nullptr);
}

TEST(Catalog, RefusesTheSameIdTwice) {
  EXPECT_EQ(complaints({file("a"), {"my-rules/a.yaml", short_rule("a")}}),
            "my-rules/a.yaml:2:5: the id `a` is there twice (first in rules/a.yaml) give yours another id?");
}

TEST(Catalog, RefusesRulesThatDoNotExist) {
  EXPECT_EQ(complaints({file("fast-loader"), file("b", "mutes: [fast-loadr]\n")}),
            "rules/b.yaml:18:9: there is no rule 'fast-loadr' fast-loader?");
}

TEST(Catalog, RefusesCircles) {
  EXPECT_EQ(complaints({file("a", "explained_by: [b]\n"),
                        file("b", "explained_by: [c]\n"),
                        file("c", "explained_by: [a]\n")}),
            "rules/c.yaml:18:16: `explained_by` forms a cycle: a -> b -> c -> a");
  EXPECT_EQ(complaints({file("a", "mutes: [a]\n")}),
            "rules/a.yaml:18:9: `mutes` forms a cycle: a -> a");
  // Two ways to one rule are no circle, nor are circles of different relations.
  EXPECT_EQ(complaints({file("a", "explained_by: [b, c]\n"),
                        file("b", "explained_by: [c]\n"),
                        file("c", "mutes: [a]\nconflicts: [a]\n")}),
            "");
}

TEST(Catalog, ReadsAllOrNothingAndNamesEveryFile) {
  std::string broken = short_rule("b");
  broken.replace(broken.find("guidance"), 8, "guidanse");
  const std::string all =
      complaints({file("a"), {"rules/b.yaml", broken}, {"rules/c.yaml", "rule: ["}});
  EXPECT_NE(all.find("rules/b.yaml:16:1: unknown key 'guidanse'"), std::string::npos) << all;
  EXPECT_NE(all.find("rules/c.yaml:"), std::string::npos) << all;
}

TEST(Catalog, ReadsTheYamlFilesOfAFolder) {
  const fs::path folder = fs::path(testing::TempDir()) / "tune-rule-files";
  fs::remove_all(folder);
  fs::create_directories(folder / "tests.yaml");
  EXPECT_THROW(rule_files_in(folder), Error);
  std::ofstream(folder / "b.yaml") << short_rule("b");
  std::ofstream(folder / "a.yaml") << short_rule("a");
  std::ofstream(folder / "notes.txt") << "nothing";
  const auto files = rule_files_in(folder);
  ASSERT_EQ(files.size(), 2U);
  EXPECT_EQ(files[0].name, (folder / "a.yaml").string());
  EXPECT_EQ(files[1].text, short_rule("b"));
  EXPECT_THROW(rule_files_in(folder / "none"), Error);
  fs::remove_all(folder);
}

TEST(Catalog, OfTheShippedRulesIsWhole) {
  const auto files = shipped_rules();
  EXPECT_EQ(files.size(), rule_files_in(fs::path(SOURCE_DIR) / "rules").size());
  const Catalog catalog = read_catalog(files);
  EXPECT_EQ(catalog.rules.size(), files.size());
  EXPECT_EQ(catalog.rules.front().group, Group::validity);
}

}  // namespace
}  // namespace tune::rule
