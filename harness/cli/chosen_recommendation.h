#pragma once

#include "measure/campaign/campaign_result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace tune::cli {

/// A run whose rules have been asked, traces read.
campaign::CampaignResult diagnosed_run(const std::filesystem::path& directory,
                                       const std::string& rules_folder);

/// A recommendation as typed.
struct RecommendationWords {
  std::string command;  ///< "tune apply": begins complaints
  std::string id;       ///< "R1", "1", or the id of its rule
  std::string run;      ///< run directory; "": the latest one here
  std::string rules;    ///< folder of the user's own, or ""
};

/// A recommendation of a run.
struct ChosenRecommendation {
  campaign::CampaignResult result;
  std::string rule;  ///< its id: the number of a recommendation may be another one in another run

  const advice::Recommendation& get() const;
};

/// Whether the word is the number of a recommendation, whichever: "R1", "r1", "1".
bool is_number(const std::string& id);

/// Reads the run. Throws tune::Error also when it has nothing to recommend.
campaign::CampaignResult recommending_run(const RecommendationWords& words);

/// The rule of the recommendation that the words name. Throws tune::Error, with what the run does
/// recommend, when there is none of that name.
std::string named_rule(const RecommendationWords& words, const campaign::CampaignResult& result);

/// Both.
ChosenRecommendation choose_recommendation(const RecommendationWords& words);

/// The recommendation of that rule, as `result` has it now; null when it has none.
const advice::Recommendation* find_recommendation(const campaign::CampaignResult& result,
                                                  const std::string& rule);

/// "R1  Load data in workers [synchronous-loader]".
std::string heading_of(const advice::Recommendation& recommendation);

/// "num_workers: 1 (was 0)", one for each setting that it changes; throws tune::Error where one of
/// them is not known.
std::vector<std::string> settings_of(const std::string& command,
                                     const advice::Recommendation& recommendation);

}  // namespace tune::cli
