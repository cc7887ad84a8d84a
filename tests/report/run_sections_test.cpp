#include "report/run_sections.h"

#include "difficult_results.h"
#include "live_section.h"
#include "sample_advice.h"
#include "xml_check.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

namespace tune::report {
namespace {

using campaign::CampaignResult;

Section failures_of(const Run& run) {
  return run_failures_section(run);
}

Section again_of(const Run& run) {
  return run_reproduce_section(run);
}

std::vector<Section> sections_of(const Run& run) {
  return {run_recorded_section(run),
          run_pipeline_section(run),
          run_memory_section(run),
          run_machine_section(run),
          run_limits_section(run),
          run_scaling_section(run),
          run_stability_section(run),
          run_history_section(run),
          failures_of(run),
          run_unmeasured_section(run),
          run_skipped_section(run),
          run_environment_section(run),
          run_method_section(run),
          run_reproduce_section(run)};
}

// As `tune report` reads it.
result::Result stored(const CampaignResult& result) {
  return result::read_result(result::to_json(result_of(result)), "result.json");
}

template <class Content>
std::vector<Content> alone(Section (*make)(const Run&), const CampaignResult& result) {
  const result::Result read = stored(result);
  return blocks_of<Content>(make({read}));
}

// A line behind four spaces is text whatever it holds.
bool has_element(const std::string& markdown) {
  std::istringstream lines(markdown);
  bool found = false;
  for (std::string line; std::getline(lines, line);) {
    found = found || (!line.starts_with("    ") && line.find("<script>") != std::string::npos);
  }
  return found;
}

TEST(RunSections, OfAResultAloneAreSoundInEveryRendering) {
  for (const auto& [name, result] : difficult_results()) {
    SCOPED_TRACE(name);
    const result::Result read = stored(result);
    for (const Section& section : sections_of({read})) {
      SCOPED_TRACE(section.title);
      EXPECT_EQ(read_xml("<div>" + to_markup(section).finished() + "</div>").problem, "");
      EXPECT_FALSE(has_element(to_markdown(section.blocks)));
      EXPECT_EQ(to_lines(section.blocks, kInText).find('\x1b'), std::string::npos);
    }
  }
}

TEST(RunSections, OfAResultAloneSayTheSameAsThoseOfItsDirectory) {
  const CampaignResult result = diagnosed_result();
  for (const auto make :
       {run_recorded_section, run_environment_section, failures_of, run_skipped_section}) {
    const Section live_section = live(make, result);
    const std::vector<Table> all = blocks_of<Table>(live_section);
    const std::vector<Table> found = alone<Table>(make, result);
    ASSERT_EQ(all.size(), found.size()) << live_section.title;
    for (std::size_t i = 0; i < all.size(); ++i) {
      EXPECT_EQ(all[i].rows, found[i].rows) << all[i].caption;
    }
  }
  EXPECT_EQ(blocks_of<List>(live(run_recorded_section, result)).at(0).items,
            alone<List>(run_recorded_section, result).at(0).items);
}

TEST(RunSections, OfAResultAloneDoWithoutWhatTheDirectoryKnows) {
  const result::Result read = stored(diagnosed_result());
  EXPECT_TRUE(run_pipeline_section({read}).blocks.empty());
  EXPECT_TRUE(run_history_section({read}).blocks.empty());
  EXPECT_TRUE(blocks_of<Folded>(run_failures_section({read})).empty()) << "no captured output";
  EXPECT_TRUE(blocks_of<Figure>(run_stability_section({read})).empty());
  EXPECT_EQ(blocks_of<Figure>(run_recorded_section({read})).size(), 2U)
      << "bars and lanes, no strips";
}

// The command asks for one that was drawn.
TEST(RunSections, OfAResultAloneKnowTheSeed) {
  CampaignResult result = diagnosed_result();
  result.command = {"tune", "run", "a.yaml"};
  result.overrides.clear();
  result.scenario.text = "name: a\n";
  EXPECT_EQ(alone<Code>(again_of, result).at(0).text,
            "tune run a.yaml --seed " + std::to_string(result.seed));
  result.scenario.text = "name: a\nseed: 7\n";
  EXPECT_EQ(alone<Code>(again_of, result).at(0).text, "tune run a.yaml");
}

}  // namespace
}  // namespace tune::report
