#include "report/noise_text.h"

#include "report/result_json.h"
#include "report/result_of.h"
#include "report/run_pages.h"
#include "sample_advice.h"
#include "sample_result.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tune::report {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(NoiseText, SaysWhatEqualProcessesShowed) {
  const auto result = diagnosed_result();
  EXPECT_EQ(equal_sides_text(result_of(result)),
            "The baseline against itself (A/A), calibrated 2026-02-01T08:00:00Z with 40 equal "
            "processes: 0 of 2 gates on equal sides called one of them worse (at most 77.6 % of "
            "them do, 95 % sure). Two equal processes next to each other differ by 1.2 % (robust "
            "standard deviation).");
  EXPECT_TRUE(
      detectable_line(result_of(result)).starts_with("smallest detectable effect: 2.5 %, "));
  EXPECT_TRUE(contains(to_html(result), "smallest detectable effect: 2.5 %"));
  EXPECT_TRUE(contains(to_markdown(result), "smallest detectable effect: 2.5 %"));
  const auto json = nlohmann::json::parse(to_result_json(result));
  EXPECT_EQ(json["method"]["calibration"]["mde"], 0.025);
  EXPECT_TRUE(json["method"]["calibration_reason"].is_null());
}

TEST(NoiseText, NamesTheCommandWhereItIsNotKnown) {
  auto result = sample_result();
  result.noise_reason = "calibrated here with other settings only";
  EXPECT_EQ(equal_sides_text(result_of(result)),
            "The baseline against itself (A/A) was not measured (calibrated here with other "
            "settings only): tune calibrate scenarios/resnet18.yaml would tell how often this "
            "machine raises a false alarm.");
  EXPECT_TRUE(contains(detectable_line(result_of(result)), "not known (calibrated here"));
  const auto json = nlohmann::json::parse(to_result_json(result));
  EXPECT_TRUE(json["method"]["calibration"].is_null());
  EXPECT_EQ(json["method"]["calibration_reason"], result.noise_reason);
  EXPECT_TRUE(contains(detectable_line(result::Result()), "tune calibrate FILE would tell"));
}

// `tune calibrate -` would wait for standard input, `tune calibrate /here/-` names no file.
TEST(NoiseText, NamesNoFileThatDoesNotExist) {
  auto result = sample_result();
  for (const char* const name : {"-", "/home/me/project/-"}) {
    result.scenario.file = name;
    result.command = {"tune", "run", "-"};
    EXPECT_EQ(equal_sides_text(result_of(result)),
              "The baseline against itself (A/A) was not measured: tune calibrate needs a scenario "
              "in a file.");
    result.command = {"./tune", "run", "-o", "r", "--", "python", "my train.py", "-q"};
    EXPECT_EQ(
        detectable_line(result_of(result)),
        "smallest detectable effect: not known: tune calibrate needs a scenario in a file, as "
        "tune init -o FILE -- python 'my train.py' -q writes it");
    EXPECT_FALSE(contains(to_markdown(result), "tune calibrate -"));
    EXPECT_FALSE(contains(to_markdown(result), "tune calibrate /"));
  }
}

}  // namespace
}  // namespace tune::report
