// The shipped scenarios, changed at random from fixed seeds: every text is either a scenario or a
// list of complaints that name the file, and every scenario can be planned.

#include "base/error.h"
#include "base/file.h"
#include "mutator.h"
#include "scenario/scenario.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace tune::scenario {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string>& hostile_yaml() {
  static const std::vector<std::string> values = {"-1",
                                                  "010",
                                                  ".inf",
                                                  ".nan",
                                                  "1e999",
                                                  "99999999999999999999",
                                                  "0.5",
                                                  "~",
                                                  "true",
                                                  "'",
                                                  "\"",
                                                  "\"\\ud800\"",
                                                  "&a [*a]",
                                                  "*a",
                                                  "!!x",
                                                  "[",
                                                  "{",
                                                  "- ",
                                                  "? ",
                                                  "|",
                                                  ">",
                                                  "# ",
                                                  ": ",
                                                  "%",
                                                  "\t",
                                                  "---\n",
                                                  "...\n",
                                                  "<<: ",
                                                  "3 %",
                                                  "5 min",
                                                  "[[[[[[[[[[[[",
                                                  "{}",
                                                  "{a: {b: {}}}",
                                                  "../../../etc",
                                                  "5m"};
  return values;
}

std::vector<fs::path> shipped() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(fs::path(SOURCE_DIR) / "scenarios")) {
    if (entry.path().extension() == ".yaml") {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

class ScenarioFuzz : public testing::TestWithParam<int> {};

TEST_P(ScenarioFuzz, MutatedScenariosAreReadOrRefusedByName) {
  fuzz::Mutator mutator(static_cast<std::uint64_t>(GetParam()), hostile_yaml());
  const std::vector<fs::path> files = shipped();
  ASSERT_FALSE(files.empty());
  int refused = 0;
  int all = 0;
  for (const fs::path& file : files) {
    const std::string text = read_file(file);
    ASSERT_NO_THROW(read_scenario(text, file)) << file;
    for (int i = 0; i < 6; ++i, ++all) {
      const std::string mutated = mutator.mutate(text);
      try {
        read_scenario(mutated, file);
      } catch (const Error& error) {
        ++refused;
        EXPECT_TRUE(std::string(error.what()).starts_with(file.string() + ":")) << error.what();
      }
    }
  }
  EXPECT_GT(refused, all / 4);  // the mutations do reach the checked code
}

INSTANTIATE_TEST_SUITE_P(Seeds, ScenarioFuzz, testing::Range(0, 8));

}  // namespace
}  // namespace tune::scenario
