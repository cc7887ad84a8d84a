#pragma once

#include "base/stats/number.h"
#include "trace/timeline.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tune::metric {

/// A named number, or why it is missing. Missing is never zero. Its samples are mostly steps.
struct Metric : stats::Number {
  Metric() = default;
  Metric(std::string name, stats::Number number)
      : stats::Number(std::move(number)), id(std::move(name)) {}

  std::string id;                     ///< "gpu_busy_ratio": the suffix names the unit
  std::vector<std::string> warnings;  ///< single words that rules understand, see below

  bool is_applicable() const { return value.has_value(); }
};

// Warnings:
//   no-rows        nothing of the kind was recorded: absent, or not asked for
//   no-step-marks  one step from the first row to the last
//   one-step       no spread can be told
//   cut-by-memory  the end of the trace did not fit
//   inferred-waits what calls waited for is not in the trace (cuda_sync rows) and was inferred
constexpr const char* kNoRows = "no-rows";
constexpr const char* kNoStepMarks = "no-step-marks";
constexpr const char* kOneStep = "one-step";
constexpr const char* kCutByMemory = "cut-by-memory";
constexpr const char* kInferredWaits = "inferred-waits";

/// What a metric is called, and in what unit it is.
struct MetricName {
  std::string_view id, unit;
};

/// Not applicable, with the reason.
Metric not_applicable(std::string id, std::string unit, std::string reason);
Metric not_applicable(const MetricName& name, const std::string& reason);
/// A family of metrics that all lack the same input.
std::vector<Metric> not_applicable(std::span<const MetricName> names, const std::string& reason);

/// Median of the samples with its sign interval at 95 %, or the most that so few allow. Needs one.
Metric of_samples(std::string id, std::string unit, const std::vector<double>& samples);

/// Whether the text holds the word, which is in lower case, in any case.
bool has_in_any_case(std::string_view text, std::string_view lower_word);

/// Rows whose names a predicate fits; each name is looked at once. Refers to the timeline.
class NamesThat {
 public:
  using Predicate = bool (*)(std::string_view);

  NamesThat(const profile::Timeline& timeline, Predicate fits);

  bool operator()(const profile::Event& event) {
    Known& known = known_[event.name];
    if (known == Known::not_yet) {
      known = fits_(timeline_.name(event)) ? Known::yes : Known::no;
    }
    return known == Known::yes;
  }

 private:
  enum class Known : std::uint8_t { not_yet, yes, no };

  const profile::Timeline& timeline_;
  Predicate fits_;
  std::vector<Known> known_;  // by StringId
};

}  // namespace tune::metric
