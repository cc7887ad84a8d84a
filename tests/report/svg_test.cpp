#include "report/svg.h"

#include "drawing_check.h"
#include "report/chart_scale.h"
#include "report/number_text.h"
#include "report/palette.h"
#include "report/result_of.h"
#include "report/run_charts.h"
#include "sample_result.h"
#include "xml_check.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tune::report {
namespace {

TEST(Svg, CoordinatesAreRoundedToATenth) {
  EXPECT_EQ(coordinate(12), "12");
  EXPECT_EQ(coordinate(12.349), "12.3");
  EXPECT_EQ(coordinate(-0.26), "-0.3");
  EXPECT_EQ(coordinate(-0.01), "0");
}

TEST(Svg, TicksAreOneTwoOrFiveTimesAPowerOfTen) {
  EXPECT_NEAR(tick_step(1.0, 8), 0.2, 1e-12);
  EXPECT_NEAR(tick_step(0.03, 8), 0.005, 1e-12);
  EXPECT_NEAR(tick_step(7.9, 8), 1, 1e-12);
  EXPECT_NEAR(tick_step(310, 8), 50, 1e-12);
}

TEST(Svg, TheGainPlotSaysInWordsWhatItShows) {
  const auto plot = gain_plot(result_of(sample_result()));
  ASSERT_TRUE(plot);
  const XmlDocument drawing = read_xml(plot->finished());
  EXPECT_EQ(drawing.problem, "");
  EXPECT_NE(drawing.text.find("21 settings, in the order of the table: "), std::string::npos);
  EXPECT_FALSE(gain_plot(result_of(all_failed_result())));
}

// +67.0 % of the search beside +66.6 % of the pairs would be two answers.
TEST(Svg, TheGainPlotHasOneGainOfACellThatRanInPairs) {
  const result::Result result = result_of(sample_result());
  const result::Cell& best = *result.find_cell(result.summary.best.side.cell);
  const std::string text = text_of(*gain_plot(result));
  EXPECT_NE(text.find(gain_text(*result.summary.best.gain.value)), std::string::npos);
  ASSERT_NE(gain_text(*best.gain.value), gain_text(*result.summary.best.gain.value));
  EXPECT_EQ(text.find(gain_text(*best.gain.value) + " ["), std::string::npos) << text;
}

// A narrow page moves each entry to a line of its own where they do not fit into one.
TEST(Svg, TheLegendOfTheGainPlotIsMadeOfEntries) {
  const auto plot = gain_plot(result_of(sample_result()));
  ASSERT_TRUE(plot);
  const XmlDocument drawing = read_xml(plot->finished());
  const auto entries =
      std::count_if(drawing.elements.begin(), drawing.elements.end(), [](const XmlElement& each) {
        return each.tag == "g" && each.attribute("class") == "entry";
      });
  EXPECT_EQ(entries, 4);
}

// One round says neither that a setting differs from the baseline nor that it does not.
TEST(Svg, TheGainPlotHasAMarkOfItsOwnForSettingsOfOneRound) {
  auto result = sample_result();
  const std::size_t diamonds = elements_of(*gain_plot(result_of(result)), "polyline");
  for (const std::size_t i : {std::size_t{2}, std::size_t{3}}) {
    result.cells[i].gain = stats::Number{.value = 0.74, .n = 1};
  }
  const auto plot = gain_plot(result_of(result));
  ASSERT_TRUE(plot);
  expect_sound_drawing(*plot);
  EXPECT_EQ(elements_of(*plot, "polyline"), diamonds + 2);
  const std::string text = text_of(*plot);
  EXPECT_NE(text.find("one round: no interval"), std::string::npos);
  EXPECT_NE(text.find(" 2 of one round, which have no interval."), std::string::npos) << text;
  EXPECT_NE(text_of(*gain_plot(result_of(sample_result()))).find(" 0 of one round"),
            std::string::npos);
}

TEST(Palette, TextHasContrastOf4AndAHalfAndMarksOf3InBothSchemes) {
  for (const auto scheme : {&Swatch::light, &Swatch::dark}) {
    for (const Colour ground : {Colour::paper, Colour::panel}) {
      for (const Swatch& text : palette()) {
        if (text.colour == Colour::paper || text.colour == Colour::panel ||
            text.colour == Colour::rule) {
          continue;
        }
        // Every other colour carries text, or text in the colour of the paper stands on it.
        EXPECT_GE(contrast(text.*scheme, swatch(ground).*scheme), 4.5) << text.name;
      }
    }
  }
}

TEST(Palette, ContrastIsThatOfTheGuidelines) {
  EXPECT_NEAR(contrast("#000000", "#ffffff"), 21, 1e-9);
  EXPECT_NEAR(contrast("#777777", "#ffffff"), 4.48, 0.01);
}

TEST(Palette, IsInTheOrderOfTheEnum) {
  for (std::size_t i = 0; i < palette().size(); ++i) {
    EXPECT_EQ(static_cast<std::size_t>(palette()[i].colour), i);
  }
}

}  // namespace
}  // namespace tune::report
