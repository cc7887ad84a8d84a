// What `tune apply` does to the scenarios that people really have.

#include "base/file.h"
#include "scenario/edit_scenario.h"
#include "scenario/scenario.h"
#include "trial/knob_catalog.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace tune::scenario {

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> shipped_scenarios() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(SOURCE_DIR) / "scenarios")) {
    if (entry.path().extension() == ".yaml") {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    lines.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return lines;
}

// Lines of `a` that are not those of `b` in the same order, from both ends.
std::size_t lines_that_differ(const std::string& before, const std::string& after) {
  std::vector<std::string> a = lines_of(before);
  std::vector<std::string> b = lines_of(after);
  while (!a.empty() && !b.empty() && a.back() == b.back()) {
    a.pop_back();
    b.pop_back();
  }
  const auto [in_a, in_b] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  return static_cast<std::size_t>(std::max(a.end() - in_a, b.end() - in_b));
}

// Every value of the grid, and of each knob that it leaves alone the ends of its range.
std::vector<std::pair<std::string, trial::KnobValue>> values_to_try(const Scenario& scenario) {
  std::vector<std::pair<std::string, trial::KnobValue>> values;
  for (const auto& [knob, axis] : scenario.grid) {
    for (const trial::KnobValue& value : axis) {
      values.emplace_back(knob, value);
    }
  }
  for (const trial::Knob& knob : trial::all_knobs()) {
    if (trial::is_script_knob(knob)) {
      continue;  // these scenarios have models
    }
    switch (knob.kind) {
      case trial::Knob::Kind::boolean:
        values.emplace_back(knob.name, true);
        values.emplace_back(knob.name, false);
        break;
      case trial::Knob::Kind::integer:
        values.emplace_back(knob.name, knob.min);
        values.emplace_back(knob.name, knob.max);
        break;
      case trial::Knob::Kind::choice:
        for (const std::string& choice : knob.choices) {
          values.emplace_back(knob.name, choice);
        }
        break;
      case trial::Knob::Kind::cpu_list:
        values.emplace_back(knob.name, std::string("0-1,4"));
        values.emplace_back(knob.name, std::string("2"));
        break;
    }
  }
  return values;
}

TEST(EditShippedScenarios, ChangesOneLineAndOneSetting) {
  std::size_t tried = 0;
  for (const fs::path& file : shipped_scenarios()) {
    const std::string text = read_file(file);
    const Scenario before = read_scenario(text, file);
    for (const auto& [knob, value] : values_to_try(before)) {
      const std::string changed = with_baseline(text, file, {{knob, value}});
      const std::string what = file.filename().string() + " " + knob + " " + trial::to_text(value);
      if (before.baseline.at(knob) == value) {
        EXPECT_EQ(changed, text) << what;
        continue;
      }
      EXPECT_EQ(lines_that_differ(text, changed), 1U) << what << "\n" << changed;
      const Scenario after = read_scenario(changed, file);
      trial::KnobSettings wanted = before.baseline;
      wanted[knob] = value;
      EXPECT_EQ(trial::to_text(after.baseline), trial::to_text(wanted)) << what;
      EXPECT_EQ(after.grid, before.grid) << what;
      EXPECT_EQ(after.workload, before.workload) << what;
      EXPECT_EQ(after.data, before.data) << what;
      EXPECT_EQ(after.measure, before.measure) << what;
      ++tried;
    }
  }
  EXPECT_GT(tried, 300U) << "where are the scenarios?";
}

// As somebody would go from cell to cell.
TEST(EditShippedScenarios, ComesBackToTheSameBytes) {
  for (const fs::path& file : shipped_scenarios()) {
    const std::string text = read_file(file);
    const Scenario scenario = read_scenario(text, file);
    trial::KnobSettings there;
    trial::KnobSettings back;
    for (const auto& [knob, axis] : scenario.grid) {
      // Only what is written: a knob that is added stays.
      const bool is_written = text.find(knob + ":") < text.find("grid:");
      if (is_written) {
        there[knob] = axis.back();
        back[knob] = scenario.baseline.at(knob);
      }
    }
    EXPECT_EQ(with_baseline(with_baseline(text, file, there), file, back), text) << file;
  }
}

}  // namespace

}  // namespace tune::scenario
