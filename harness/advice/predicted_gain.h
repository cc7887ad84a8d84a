#pragma once

#include "rule/fact_table.h"
#include "rule/rule.h"

#include <optional>
#include <string>

namespace tune::advice {

/// What a rule's change would gain, as far as that can be said before it is measured. 0.1 is 10 %
/// more samples per second.
struct PredictedGain {
  std::optional<double> lower, upper;
  rule::Gain::Model model = rule::Gain::Model::none;
  std::string formula;  ///< with its numbers: "1/(1 - 0.04 x 0.5..1) - 1"; "" without a range
  std::string reason;   ///< why there is no range

  bool is_known() const { return upper.has_value(); }
  double middle() const { return (*lower + *upper) / 2; }  ///< needs a range
};

/// Evaluates the rule's gain; when one of its terms is unknown, or its `when` is not true, the gain
/// that stands under `else`.
PredictedGain predict_gain(const rule::Rule& rule, const rule::FactTable& facts);

}  // namespace tune::advice
