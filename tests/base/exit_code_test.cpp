#include "base/exit_code.h"

#include <gtest/gtest.h>

using tune::ExitCode;

TEST(ExitCode, TheWorseOfTwoIsReported) {
  EXPECT_EQ(worse(ExitCode::fine, ExitCode::partial), ExitCode::partial);
  EXPECT_EQ(worse(ExitCode::negative_verdict, ExitCode::partial), ExitCode::negative_verdict);
  EXPECT_EQ(worse(ExitCode::our_bug, ExitCode::interrupted), ExitCode::our_bug);
  EXPECT_EQ(worse(ExitCode::fine, ExitCode::fine), ExitCode::fine);
}
