#include "campaign/cold_cache.h"

#include <gtest/gtest.h>

namespace tune::campaign {
namespace {

TrialRecord trial_of(const std::string& id, std::optional<double> resident_ratio) {
  TrialRecord record;
  record.spec.id = id;
  record.outcome.reply.emplace().loader.resident_ratio = resident_ratio;
  return record;
}

TEST(ColdCache, OneColdTrialIsToldWithBothFigures) {
  const std::vector<TrialRecord> trials = {
      trial_of("r1-c01", 0.12), trial_of("r1-baseline", 0.995), trial_of("r2-c01", 1.0)};
  EXPECT_TRUE(began_cold(trials[0]));
  EXPECT_FALSE(began_cold(trials[1]));
  EXPECT_EQ(cold_cache_text(trials),
            "the page cache was cold in 1 of 3 trials (the first: r1-c01, 12.0 % of the files' "
            "bytes in it), in the others at least 99.5 %: rates that include reading from the disk "
            "do not compare with those after");
}

TEST(ColdCache, WhereAllAreColdTheyStillCompare) {
  const std::string text = cold_cache_text({trial_of("r1-c01", 0.1), trial_of("r1-c02", 0.2)});
  EXPECT_TRUE(text.ends_with(": all rates include reading from the disk")) << text;
}

TEST(ColdCache, DataWithoutFilesAndFailedTrialsSayNothing) {
  TrialRecord failed;
  EXPECT_FALSE(began_cold(failed));
  EXPECT_EQ(cold_cache_text({trial_of("r1-c01", std::nullopt), failed}), "");
  EXPECT_EQ(cold_cache_text({trial_of("r1-c01", 0.97)}), "") << "a few files dropped out";
}

}  // namespace
}  // namespace tune::campaign
