#include "cli/verify_answer.h"

#include "base/fields.h"
#include "cli/answer.h"
#include "measure/campaign/verification.h"
#include "report/diagnosis_text.h"
#include "report/markup.h"
#include "report/number_text.h"
#include "report/result_json.h"
#include "report/result_of.h"

#include <nlohmann/json.hpp>

namespace tune::cli {

namespace {

using advice::MeasuredGain;
using advice::Recommendation;
using campaign::Verification;

constexpr const char* kCommand = "tune verify";

// The one that is open, else the one whose verdict counts; null where nothing was measured.
const Verification* verification_of(const VerifyAnswer& answer) {
  const auto& all = answer.chosen.result.verifications;
  const trial::KnobSettings change = campaign::change_of(answer.chosen.get());
  const Verification* const open = campaign::open_verification(all, change);
  return open != nullptr ? open : campaign::find_verification(all, change);
}

bool is_open(const VerifyAnswer& answer) {
  const Verification* const verification = verification_of(answer);
  return !answer.has_time || (verification != nullptr && verification->is_open);
}

// The place of the measured gain in the predicted range.
std::string prediction_words(const Recommendation& recommendation) {
  std::string text = report::gain_words(report::predicted_of(recommendation.predicted));
  if (!recommendation.predicted.is_known() || !recommendation.measured) {
    return text;
  }
  const double measured = recommendation.measured->value;
  text += measured < *recommendation.predicted.lower   ? ": the gain is below it"
          : measured > *recommendation.predicted.upper ? ": the gain is above it"
                                                       : ": the gain is within it";
  return text;
}

// "" where no precision was asked for.
std::string precision_words(const Verification* verification,
                            const Recommendation& recommendation) {
  if (verification == nullptr || !verification->until || !recommendation.measured) {
    return "";
  }
  const MeasuredGain& gain = *recommendation.measured;
  const double half = (gain.upper - gain.lower) / 2;
  const std::string wanted = report::share_text(*verification->until);
  std::string text = "precise to " + report::share_text(half) + " (half of the interval), ";
  if (half <= *verification->until) {
    return text + "as asked: at most " + wanted + "\n";
  }
  return text +
         (verification->is_open ? "wanted: " + wanted
                                : "not to the " + wanted + " asked: no look is left") +
         "\n";
}

std::string verdict_line(const VerifyAnswer& answer) {
  const Recommendation& recommendation = answer.chosen.get();
  if (recommendation.measured) {
    return report::measured_words(report::recommendation_of(recommendation));
  }
  const bool has_begun = answer.has_time || verification_of(answer) != nullptr;
  return "no verdict: " + (has_begun ? one_line(recommendation.unmeasured)
                                     : "the budget has no time left for its first look");
}

}  // namespace

std::string command_with_rule(const std::string& command,
                              const std::string& rule,
                              const std::filesystem::path& run) {
  return command + " " + rule + " " + typed_path(run);
}

ExitCode verify_code(const VerifyAnswer& answer) {
  const Recommendation& recommendation = answer.chosen.get();
  const ExitCode missing = is_open(answer) ? ExitCode::partial : ExitCode::fine;
  if (!recommendation.measured) {
    return is_open(answer) ? ExitCode::partial : ExitCode::negative_verdict;
  }
  if (!recommendation.broken_constraints.empty()) {
    return ExitCode::negative_verdict;  // whatever it gains
  }
  switch (recommendation.measured->verdict) {
    case MeasuredGain::Verdict::confirmed:
      return missing;
    case MeasuredGain::Verdict::refuted:
      return ExitCode::negative_verdict;
    case MeasuredGain::Verdict::ambiguous:
      return ExitCode::inconclusive;
  }
  return missing;
}

std::string verify_text(const VerifyAnswer& answer) {
  const ChosenRecommendation& chosen = answer.chosen;
  const Recommendation& recommendation = chosen.get();
  const Verification* const verification = verification_of(answer);
  std::string text = heading_of(recommendation) + "\n";
  for (const std::string& setting : settings_of(kCommand, recommendation)) {
    text += "set " + setting + "\n";
  }
  text += prediction_words(recommendation) + "\n";
  if (verification != nullptr && verification->confirmation &&
      !verification->confirmation->why.empty()) {
    text += "note: " + one_line(verification->confirmation->why) + "\n";
  }
  text += precision_words(verification, recommendation);
  text += verdict_line(answer) + "\n";
  const bool pays = recommendation.measured && recommendation.broken_constraints.empty() &&
                    recommendation.measured->verdict == MeasuredGain::Verdict::confirmed;
  if (is_open(answer)) {
    text += "resume:  " + command_with_rule(kCommand, chosen.rule, chosen.result.directory);
  } else if (pays) {
    text += "next:    " + command_with_rule("tune apply", chosen.rule, chosen.result.directory);
  } else {
    text += "next:    tune report " + typed_path(chosen.result.directory);
  }
  return text + "\n";
}

std::string verify_json(const VerifyAnswer& answer) {
  using Json = nlohmann::ordered_json;
  const ChosenRecommendation& chosen = answer.chosen;
  const Verification* const verification = verification_of(answer);
  const Json whole = report::result_value(chosen.result);
  Json json = {{"schema", whole.at("schema")},
               {"kind", "verify"},
               {"run", chosen.result.directory.string()},
               {"directory", nullptr},
               {"complete", !is_open(answer)},
               {"until", nullptr}};
  if (verification != nullptr) {
    json["directory"] = verification->directory.string();
  }
  if (verification != nullptr && verification->until) {
    json["until"] = *verification->until;
  }
  for (const Json& recommendation : whole.at("recommendations")) {
    if (recommendation.at("rule") == chosen.rule) {
      json["recommendation"] = recommendation;
    }
  }
  return json_text(json, 2);
}

}  // namespace tune::cli
