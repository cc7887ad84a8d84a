#include "advice/gain_model.h"

#include "advice/rule/evaluate_rule.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <variant>

namespace tune::advice {

std::optional<double> amdahl_gain(double share, double removable) {
  const double removed = std::clamp(share, 0.0, 1.0) * std::clamp(removable, 0.0, 1.0);
  constexpr double kWhole = 1 - 1e-9;
  if (!(removed < kWhole)) {
    return std::nullopt;
  }
  return 1 / (1 - removed) - 1;
}

double DifferentialRates::now() const {
  return std::min({synthetic, cached, cold});
}

double DifferentialRates::prep_stall_ratio() const {
  return std::max(0.0, 1 - cached / synthetic);
}

double DifferentialRates::fetch_stall_ratio() const {
  return std::max(0.0, 1 - cold / cached);
}

namespace {

constexpr double kHeadRoom = 1.15;  // a loader just as fast as the model still lets it wait

// What the workers alone could deliver, and what the cores leave over for them.
double supply(const LoaderModel& model, std::int64_t workers) {
  const auto count = static_cast<double>(workers);
  return std::min(count / (model.sample_cpu_s + model.sample_wait_s),
                  model.usable_cores / model.sample_cpu_s);
}

}  // namespace

double LoaderModel::rate(std::int64_t workers) const {
  if (workers <= 0) {
    return 1 / (sample_cpu_s + sample_wait_s + 1 / model_rate);
  }
  const double shared = usable_cores / (sample_cpu_s + usable_cores / model_rate);
  const double both = std::min(supply(*this, workers), model_rate);
  return trains_on_cpu ? std::min(both, shared) : both;
}

std::int64_t LoaderModel::needed_workers() const {
  const auto most = std::max<std::int64_t>(1, std::llround(std::ceil(usable_cores)));
  for (std::int64_t workers = 1; workers < most; ++workers) {
    const bool is_enough = supply(*this, workers) >= kHeadRoom * model_rate;
    const bool is_fastest =
        rate(workers) >= rate(most) && supply(*this, workers) >= supply(*this, most);
    if (is_enough || is_fastest) {
      return workers;
    }
  }
  return most;
}

namespace {

using expression::Expression;
using rule::Gain;

std::string short_text(double number) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3g", number);
  return text.data();
}

class Prediction {
 public:
  Prediction(const rule::Rule& rule, const rule::FactTable& facts) : rule_(rule), facts_(facts) {}

  PredictedGain of(const Gain& gain) {
    PredictedGain predicted{.model = gain.model};
    if (gain.when && !is_true(rule_, facts_, *gain.when)) {
      predicted.reason = why_not(*gain.when);
    } else if (gain.model == Gain::Model::none) {
      predicted.reason = "a fact without a gain";
    } else if (takes_share(gain.model)) {
      amdahl(gain, predicted);
    } else if (gain.low && gain.high) {
      range(gain, predicted);
    } else {
      predicted.reason = "only pairs of runs can tell";
    }
    return predicted;
  }

 private:
  // Why a gain does not hold whose condition is not true.
  std::string why_not(const Expression& condition) const {
    const expression::Result result = evaluate(
        condition, [this](const std::string& name) { return value_for(rule_, facts_, name); });
    const auto* const unknown = std::get_if<expression::Unknown>(&result);
    return unknown != nullptr ? unknown->reason
                              : "not where " + substituted(rule_, facts_, condition);
  }

  // The number, or nothing and `reason`.
  std::optional<double> number(const Expression& part, std::string& reason) const {
    const expression::Result result =
        evaluate(part, [this](const std::string& name) { return value_for(rule_, facts_, name); });
    if (const auto* const unknown = std::get_if<expression::Unknown>(&result)) {
      reason = reason.empty() ? unknown->reason : reason;
      return std::nullopt;
    }
    return std::get<expression::Number>(std::get<expression::Value>(result).data).value;
  }

  void amdahl(const Gain& gain, PredictedGain& predicted) const {
    const auto share = number(*gain.share, predicted.reason);
    const auto from = number(gain.removable[0], predicted.reason);
    const auto to = number(gain.removable[1], predicted.reason);
    if (!share || !from || !to) {
      return;
    }
    const auto lower = amdahl_gain(*share, std::min(*from, *to));
    const auto upper = amdahl_gain(*share, std::max(*from, *to));
    if (!lower || !upper) {
      predicted.reason = "the share is the whole step, which cannot all be gained";
      return;
    }
    predicted.lower = lower;
    predicted.upper = upper;
    std::string formula = "1/(1 - ";
    formula += short_text(*share) + " x " + short_text(std::min(*from, *to));
    if (*from != *to) {
      formula += ".." + short_text(std::max(*from, *to));
    }
    formula += ") - 1, share = " + substituted(rule_, facts_, *gain.share);
    predicted.formula = std::move(formula);
  }

  void range(const Gain& gain, PredictedGain& predicted) const {
    const auto low = number(*gain.low, predicted.reason);
    const auto high = number(*gain.high, predicted.reason);
    if (!low || !high) {
      return;
    }
    predicted.lower = std::min(*low, *high);
    predicted.upper = std::max(*low, *high);
    predicted.formula =
        substituted(rule_, facts_, *gain.low) + " .. " + substituted(rule_, facts_, *gain.high);
  }

  const rule::Rule& rule_;
  const rule::FactTable& facts_;
};

}  // namespace

PredictedGain predict_gain(const rule::Rule& rule, const rule::FactTable& facts) {
  Prediction prediction(rule, facts);
  PredictedGain first = prediction.of(rule.gain);
  const Gain* gain = &rule.gain;
  PredictedGain predicted = first;
  while (!predicted.is_known() && gain->otherwise != nullptr) {
    gain = gain->otherwise.get();
    predicted = prediction.of(*gain);
  }
  return predicted.is_known() ? predicted : first;
}

}  // namespace tune::advice
