#include "scenario/build_order.h"

#include "sample_scenario.h"

#include <gtest/gtest.h>

namespace tune::scenario {
namespace {

TEST(BuildOrder, IsTheCommandAndWhatMayNameFiles) {
  const BuildOrder order = read_build_order(
      sample("workload: {model: resnet18}\ndata: {source: generated-jpeg}",
             "workload: {model: resnet18, task: train, build: \"cmake --build build\"}\n"
             "data: {source: image-folder, path: images}"),
      "sample.yaml");
  EXPECT_EQ(order.command, "cmake --build build");
  EXPECT_EQ(order.data_path, "images");
  EXPECT_TRUE(order.paths.empty()) << "words that are no files, and the command";
}

TEST(BuildOrder, IsEmptyWhereNothingHasToBeMade) {
  const BuildOrder order = read_build_order(sample(), "sample.yaml");
  EXPECT_EQ(order.command, "");
  EXPECT_EQ(order.data_path, "");
}

TEST(BuildOrder, DoesNotAskWhetherFilesAreThere) {
  EXPECT_NO_THROW(read_build_order(
      sample("data: {source: generated-jpeg}", "data: {source: image-folder, path: nowhere}"),
      "sample.yaml"));
}

TEST(BuildOrder, OfAnInvalidScenarioIsRefusedWithItsPlace) {
  try {
    read_build_order(sample("model: resnet18", "model: resnet18, build: 7"), "a.yaml");
    FAIL() << "it was read";
  } catch (const Error& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with("a.yaml:3:")) << error.what();
  }
  EXPECT_NE(complaints_with("model: resnet18", "model: resnet18, build: \"\""), "");
  EXPECT_EQ(
      read_scenario(sample("model: resnet18", "model: resnet18, build: make"), "sample.yaml").build,
      "make");
}

}  // namespace
}  // namespace tune::scenario
