#pragma once

#include "advice/rule/fact_table.h"
#include "advice/rule/rule.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tune::advice {

/// Amdahl on exposed time: 1/(1 - share x removable) - 1. share: the part of the step that nothing
/// hides, 0-1; removable: how much of it the change takes away, 0-1. Both are clamped; nothing when
/// the whole step would go. An upper bound: overlapped time gains nothing.
std::optional<double> amdahl_gain(double share, double removable);

/// DS-Analyzer (VLDB 2021): samples/s with resident batches, with cached and with cold files. A run
/// is as fast as the slowest of the three.
struct DifferentialRates {
  double synthetic = 0, cached = 0, cold = 0;

  double now() const;                ///< min of the three
  double prep_stall_ratio() const;   ///< 1 - cached/synthetic: what decoding and copying cost
  double fetch_stall_ratio() const;  ///< 1 - cold/cached: what reading costs
};

/// What the throughput of a loader and a model depends on. The bounds and their errors were
/// measured on 2 cores: -4 to +12 % with a GPU, 0 to +31 % with a model on the same cores when
/// workers are not niced.
struct LoaderModel {
  double sample_cpu_s = 0;     ///< s: worker CPU per sample
  double sample_wait_s = 0;    ///< w: blocking read per sample
  double model_rate = 0;       ///< G: samples/s with resident batches
  double usable_cores = 1;     ///< C_eff: cores less what others and the consumer use
  bool trains_on_cpu = false;  ///< the model wants the same cores

  /// Samples/s with so many workers: min of T/(s + w), C/s, the model's rate, and C/(s + C/G) where
  /// the model trains on these cores. Without workers 1/(s + w + 1/G).
  double rate(std::int64_t workers) const;

  /// The smallest number of workers that feeds 1.15 x the model's rate, or, when none does, the
  /// smallest that is as fast as any: at least 1, at most the cores, rounded up.
  std::int64_t needed_workers() const;
};

/// What a rule's change would gain, as far as that can be said before it is measured. 0.1 is 10 %
/// more samples per second.
struct PredictedGain {
  std::optional<double> lower, upper;
  rule::Gain::Model model = rule::Gain::Model::none;
  std::string formula;  ///< with its numbers: "1/(1 - 0.04 x 0.5..1) - 1"; "" without a range
  std::string reason;   ///< why the range is missing

  bool is_known() const { return upper.has_value(); }
  double middle() const { return (*lower + *upper) / 2; }  ///< needs a range
};

/// Evaluates the rule's gain; when one of its terms is unknown, or its `when` is not true, the gain
/// that stands under `else`.
PredictedGain predict_gain(const rule::Rule& rule, const rule::FactTable& facts);

}  // namespace tune::advice
