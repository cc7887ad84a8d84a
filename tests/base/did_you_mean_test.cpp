#include "base/did_you_mean.h"

#include <gtest/gtest.h>

namespace {

const std::vector<std::string> kKnobs = {"batch_size", "num_workers", "pin_memory", "amp"};

TEST(DidYouMean, FindsAMistypedWord) {
  EXPECT_EQ(tune::did_you_mean("num_wrokers", kKnobs), "num_workers");
  EXPECT_EQ(tune::did_you_mean("batchsize", kKnobs), "batch_size");
}

TEST(DidYouMean, FindsAWordThatWasCutShort) {
  EXPECT_EQ(tune::did_you_mean("workers", kKnobs), "num_workers");
}

TEST(DidYouMean, SaysNothingRatherThanSomethingFarAway) {
  EXPECT_EQ(tune::did_you_mean("temperature", kKnobs), "");
  EXPECT_EQ(tune::did_you_mean(std::string(100000, 'x'), kKnobs), "");
}

}  // namespace
