#include "advice/recommendation.h"

#include <algorithm>
#include <cstddef>
#include <tuple>

namespace tune::advice {

namespace {

using Verdict = MeasuredGain::Verdict;

constexpr double kHitRateWithoutHistory = 0.5;

int verdict_order(const Recommendation& recommendation) {
  if (!recommendation.measured || recommendation.measured->verdict == Verdict::ambiguous) {
    return 1;
  }
  return recommendation.measured->verdict == Verdict::confirmed ? 0 : 2;
}

double worth(const Recommendation& recommendation, const HitRates& hit_rates) {
  if (recommendation.measured) {
    return recommendation.measured->lower;
  }
  if (!recommendation.predicted.is_known()) {
    return 0;
  }
  const auto rate = hit_rates.find(recommendation.rule->id);
  return recommendation.predicted.middle() *
         (rate != hit_rates.end() ? rate->second : kHitRateWithoutHistory);
}

int strength(const Recommendation& recommendation) {
  if (recommendation.measured) {
    return 2;
  }
  return recommendation.predicted.model == rule::Gain::Model::differential ? 1 : 0;
}

}  // namespace

const char* to_text(MeasuredGain::Verdict verdict) {
  return verdict == Verdict::confirmed ? "CONFIRMED"
         : verdict == Verdict::refuted ? "REFUTED"
                                       : "AMBIGUOUS";
}

void note_broken_constraints(Recommendation& recommendation,
                             const std::vector<std::string>& broken) {
  if (broken.empty() || !recommendation.broken_constraints.empty()) {
    return;  // said already
  }
  recommendation.broken_constraints = broken;
  recommendation.breaks_a_limit = true;
  for (const std::string& constraint : broken) {
    recommendation.risks.push_back("It breaks a constraint of the scenario: " + constraint + ".");
  }
}

void rank(std::vector<Recommendation>& recommendations, const HitRates& hit_rates) {
  const auto key = [&](const Recommendation& recommendation) {
    return std::tuple(recommendation.breaks_a_limit,
                      verdict_order(recommendation),
                      -worth(recommendation, hit_rates),
                      -recommendation.rule->guidance,
                      recommendation.knobs.size(),
                      recommendation.rule->id);
  };
  std::sort(recommendations.begin(),
            recommendations.end(),
            [&](const Recommendation& a, const Recommendation& b) { return key(a) < key(b); });
  for (std::size_t i = 0; i < recommendations.size(); ++i) {
    recommendations[i].id = "R" + std::to_string(i + 1);
  }
}

const char* rank_formula() {
  return "lower bound of the measured gain, else middle of the predicted one x hit rate of the "
         "rule "
         "(0.5 without history); then one knob before code, fewer knobs, id. What breaks a limit "
         "comes last. Gains do not add.";
}

void settle_conflicts(std::vector<Recommendation>& recommendations) {
  struct Claim {
    const Recommendation* by;
    trial::KnobValue to;
  };
  std::vector<std::size_t> order(recommendations.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    order[i] = i;
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return strength(recommendations[a]) > strength(recommendations[b]);
  });
  std::map<std::string, Claim> claims;
  for (const std::size_t index : order) {
    Recommendation& recommendation = recommendations[index];
    std::erase_if(recommendation.knobs, [&](const ProposedKnob& knob) {
      if (!knob.to) {
        return false;
      }
      const auto claim = claims.try_emplace(knob.name, Claim{&recommendation, *knob.to}).first;
      if (claim->second.to == *knob.to) {
        return false;
      }
      recommendation.rejected.push_back(knob.name + " " + trial::to_text(*knob.to) + ": " +
                                        claim->second.by->rule->id + " proposes " +
                                        trial::to_text(claim->second.to));
      return true;
    });
  }
}

}  // namespace tune::advice
