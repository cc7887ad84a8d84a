#include "measure/campaign/page_cache.h"

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
  EXPECT_EQ(usual_residency(trials), 0.995);
  EXPECT_TRUE(began_cold(trials[0], 0.995));
  EXPECT_FALSE(began_cold(trials[1], 0.995));
  EXPECT_EQ(cold_cache_text(trials),
            "the page cache was colder than usual in 1 of 3 trials (the first: r1-c01, 12.0 % of "
            "the files' bytes in it, usually 99.5 %): rates that include reading from the disk do "
            "not compare with the others");
}

TEST(ColdCache, FilesThatTheKernelDropsBecauseNobodyReadsThemSayNothing) {
  EXPECT_EQ(cold_cache_text({trial_of("r1-c01", 0.86), trial_of("r1-c02", 0.64)}), "");
}

TEST(ColdCache, WhereAllAreColdTheyStillCompare) {
  EXPECT_EQ(cold_cache_text({trial_of("r1-c01", 0.1), trial_of("r1-c02", 0.2)}),
            "most trials began with only 15.0 % of the files' bytes in the page cache: rates may "
            "include reading from the disk");
}

TEST(ColdCache, DataWithoutFilesAndFailedTrialsSayNothing) {
  const TrialRecord failed;
  EXPECT_FALSE(began_cold(failed, 0.9));
  EXPECT_FALSE(began_cold(trial_of("r1-c01", 0.1), std::nullopt));
  EXPECT_EQ(cold_cache_text({trial_of("r1-c01", std::nullopt), failed}), "");
}

}  // namespace

}  // namespace tune::campaign
