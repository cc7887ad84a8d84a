#include "campaign/run_warnings.h"

#include <gtest/gtest.h>

namespace tune::campaign {
namespace {

TEST(RunWarnings, ImagesThatAreNotReadAreToldOnce) {
  TrialRecord failed, first, second;
  first.outcome.reply.emplace().loader.skipped_types = {"3 .png", "1 .txt"};
  second.outcome.reply = first.outcome.reply;
  EXPECT_EQ(unread_images_text({failed, first, second}),
            "images of other kinds are not read: 3 .png (only .jpg and .jpeg files are)");
  EXPECT_EQ(unread_images_text({failed}), "");
}

}  // namespace
}  // namespace tune::campaign
