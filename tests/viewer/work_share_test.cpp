#include "viewer/work_share.h"

#include <gtest/gtest.h>

namespace tune::viewer {
namespace {

TEST(WorkShare, BeginsAtOnceAndThenRestsAsLongAsTheShareSays) {
  WorkShare share(0.05);
  EXPECT_TRUE(share.may_begin(-5));
  share.took(0, 100);
  EXPECT_FALSE(share.may_begin(100));
  EXPECT_FALSE(share.may_begin(1'990));
  EXPECT_TRUE(share.may_begin(2'010));
}

TEST(WorkShare, NeverRestsWhereAllOfTheTimeIsItsOwn) {
  WorkShare share(1);
  share.took(0, 100);
  EXPECT_TRUE(share.may_begin(100));
}

}  // namespace
}  // namespace tune::viewer
