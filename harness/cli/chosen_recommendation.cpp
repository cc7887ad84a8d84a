#include "cli/chosen_recommendation.h"

#include "base/assert.h"
#include "base/error.h"
#include "base/text.h"
#include "cli/ask_rules.h"
#include "cli/run_profiles.h"
#include "measure/campaign/recorded_run.h"
#include "report/markup.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace tune::cli {

namespace {

namespace fs = std::filesystem;

using advice::Finding;
using advice::Recommendation;

constexpr const char* kLatest = "tune-runs/latest";

fs::path run_of(const RecommendationWords& words) {
  if (!words.run.empty()) {
    return words.run;
  }
  std::error_code failed;
  fs::path latest = fs::canonical(kLatest, failed);  // the link may move meanwhile
  if (failed) {
    throw Error(Error::Parts{words.command,
                             "names no run",
                             std::string("there is no ") + kLatest + " in this folder",
                             words.command + " " + words.id + " DIR"});
  }
  return latest;
}

std::string without_letter(const std::string& id) {
  return id.starts_with('R') || id.starts_with('r') ? id.substr(1) : id;
}

// "r1" and "1" are R1.
std::string as_number(const std::string& id) {
  return is_number(id) ? "R" + without_letter(id) : id;
}

// "R1 synchronous-loader, R2 page-fault-storm and 3 more".
std::string list_of(const std::vector<Recommendation>& all) {
  constexpr std::size_t kShown = 6;
  std::string list;
  for (std::size_t i = 0; i < std::min(all.size(), kShown); ++i) {
    list += i == 0 ? "" : ", ";
    list += all[i].id;
    list += " ";
    list += all[i].rule->id;
  }
  if (all.size() > kShown) {
    list += " and ";
    list += std::to_string(all.size() - kShown);
    list += " more";
  }
  return list;
}

// About a rule that exists and recommends nothing here.
std::string why_none(const Finding& finding) {
  if (!finding.has_fired()) {
    std::string why = "it is ";
    why += rule::to_text(finding.state);
    return finding.reason.empty() ? why : why + ": " + finding.reason;
  }
  if (!finding.explained_by.empty()) {
    return "its cause is " + finding.explained_by.front();
  }
  return "it fired, but proposes no change with a gain";
}

[[noreturn]] void complain(const RecommendationWords& words, const advice::Diagnosis& diagnosis) {
  const std::string where = words.command + " " + shortened(words.id, 60);
  std::vector<std::string> known;
  known.reserve(2 * diagnosis.recommendations.size());
  for (const Recommendation& recommendation : diagnosis.recommendations) {
    known.push_back(recommendation.id);
    known.push_back(recommendation.rule->id);
  }
  for (const Finding& finding : diagnosis.findings) {
    if (finding.rule->id == words.id) {
      throw Error(
          Error::Parts{where, "the rule recommends nothing in this run", why_none(finding), ""});
    }
  }
  throw Error(Error::Parts{
      where,
      "the run has no such recommendation",
      known.empty() ? "it has none at all" : "it has " + list_of(diagnosis.recommendations),
      did_you_mean(words.id, known)});
}

}  // namespace

campaign::CampaignResult diagnosed_run(const fs::path& directory, const std::string& rules_folder) {
  campaign::CampaignResult result = campaign::load_campaign(directory);
  read_profiles(result);
  ask_rules(result, rules_folder);
  return result;
}

const Recommendation* find_recommendation(const campaign::CampaignResult& result,
                                          const std::string& rule) {
  if (!result.diagnosis) {
    return nullptr;
  }
  const auto& all = result.diagnosis->diagnosis.recommendations;
  const auto found = std::find_if(
      all.begin(), all.end(), [&](const Recommendation& other) { return other.rule->id == rule; });
  return found == all.end() ? nullptr : &*found;
}

const Recommendation& ChosenRecommendation::get() const {
  const Recommendation* const found = find_recommendation(result, rule);
  TUNE_ASSERT(found != nullptr);
  return *found;
}

bool is_number(const std::string& id) {
  const std::string digits = without_letter(id);
  return !digits.empty() && std::all_of(digits.begin(), digits.end(), [](unsigned char c) {
    return std::isdigit(c) != 0;
  });
}

campaign::CampaignResult recommending_run(const RecommendationWords& words) {
  const fs::path run = run_of(words);
  campaign::CampaignResult result = diagnosed_run(run, words.rules);
  if (!result.diagnosis) {
    throw Error(Error::Parts{run.string(),
                             "recommends nothing",
                             "no trial of its baseline completed",
                             "tune report " + run.string()});
  }
  return result;
}

std::string named_rule(const RecommendationWords& words, const campaign::CampaignResult& result) {
  TUNE_ASSERT(result.diagnosis.has_value());
  const std::string number = as_number(words.id);
  const auto& diagnosis = result.diagnosis->diagnosis;
  for (const Recommendation& recommendation : diagnosis.recommendations) {
    if (recommendation.id == number || recommendation.rule->id == words.id) {
      return recommendation.rule->id;
    }
  }
  complain(words, diagnosis);
}

ChosenRecommendation choose_recommendation(const RecommendationWords& words) {
  ChosenRecommendation chosen{.result = recommending_run(words)};
  chosen.rule = named_rule(words, chosen.result);
  return chosen;
}

std::string heading_of(const Recommendation& recommendation) {
  std::string text = recommendation.id;
  text += "  ";
  text += one_line(recommendation.rule->title);
  text += " [";
  text += recommendation.rule->id;
  text += "]";
  return text;
}

std::vector<std::string> settings_of(const std::string& command,
                                     const Recommendation& recommendation) {
  std::vector<std::string> lines;
  lines.reserve(recommendation.knobs.size());
  for (const advice::ProposedKnob& knob : recommendation.knobs) {
    if (!knob.to) {
      throw Error(Error::Parts{command + " " + recommendation.id,
                               "the value of " + knob.name + " is not known",
                               one_line(knob.reason),
                               ""});
    }
    std::string line = knob.name;
    line += ": ";
    line += trial::to_text(*knob.to);
    line += knob.from.empty() ? "" : " (was " + knob.from + ")";
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace tune::cli
