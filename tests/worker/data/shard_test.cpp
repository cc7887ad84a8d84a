#include "worker/data/random_stream.h"

#include <gtest/gtest.h>

#include <vector>

namespace tune::worker {
namespace {

using Order = std::vector<std::int64_t>;

TEST(Shard, OneProcessHasThemAll) {
  EXPECT_EQ(Shard().count(7), 7);
  EXPECT_EQ(Shard().epoch_order(3, 1, 7), epoch_order(3, 1, 7));
}

TEST(Shard, EachHasEveryNthSampleOfTheEpoch) {
  const Order all = epoch_order(3, 1, 6);
  EXPECT_EQ((Shard{0, 2}.epoch_order(3, 1, 6)), (Order{all[0], all[2], all[4]}));
  EXPECT_EQ((Shard{1, 2}.epoch_order(3, 1, 6)), (Order{all[1], all[3], all[5]}));
}

TEST(Shard, TheFirstSamplesComeTwiceWhereTheyDoNotDivide) {
  const Order all = epoch_order(3, 0, 7);
  EXPECT_EQ((Shard{0, 3}.epoch_order(3, 0, 7)), (Order{all[0], all[3], all[6]}));
  EXPECT_EQ((Shard{1, 3}.epoch_order(3, 0, 7)), (Order{all[1], all[4], all[0]}));
  EXPECT_EQ((Shard{2, 3}.epoch_order(3, 0, 7)), (Order{all[2], all[5], all[1]}));
  EXPECT_EQ((Shard{2, 3}.count(7)), 3);
  EXPECT_EQ((Shard{3, 4}.epoch_order(3, 0, 1)), Order{0}) << "fewer samples than processes";
}

}  // namespace
}  // namespace tune::worker
