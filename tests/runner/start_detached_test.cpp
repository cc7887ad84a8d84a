#include "runner/start_detached.h"

#include <gtest/gtest.h>

namespace tune::runner {
namespace {

TEST(StartDetached, FindsAProgramInThePath) {
  EXPECT_EQ(start_detached("true", "an argument"), "");
}

TEST(StartDetached, SaysWhyItCouldNot) {
  EXPECT_EQ(start_detached("no-such-program-here", ""), "No such file or directory");
}

}  // namespace
}  // namespace tune::runner
