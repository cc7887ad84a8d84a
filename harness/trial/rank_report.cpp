#include "trial/rank_report.h"

#include "base/fields.h"
#include "base/stats/quantile.h"
#include "base/units.h"
#include "trial/reply_limits.h"
#include "trial/trial_reply.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

namespace tune::trial {

void fields_of(Fields& fields, RankReport& rank) {
  fields.whole("rank", rank.rank, {0, kMostRanks - 1});
  if (fields.has("gpu", !rank.gpu.empty())) {
    fields.text("gpu", rank.gpu, 256);
  }
  fields.whole("steps", rank.steps, kCount);
  fields.whole("samples", rank.samples, kCount);
  fields.record("own", rank.own);
  fields.whole("communication_ns", rank.communication_ns, kDuration);
  fields.whole("peak_memory_bytes", rank.peak_memory_bytes, kBytes);
}

std::int64_t rank_count(const KnobSettings& settings) {
  const auto setting = settings.find("devices");
  const auto* const devices =
      setting == settings.end() ? nullptr : std::get_if<std::int64_t>(&setting->second);
  return devices == nullptr ? 1 : *devices;
}

double exposed_communication_ratio(const std::vector<RankReport>& ranks) {
  double waited_ns = 0;
  double wall_ns = 0;
  for (const RankReport& rank : ranks) {
    waited_ns += static_cast<double>(rank.communication_ns);
    wall_ns += static_cast<double>(rank.wall_ns());
  }
  return wall_ns > 0 ? waited_ns / wall_ns : 0;
}

namespace {

constexpr std::size_t kParts = kStepPhases.size();

// The mean step of a rank, ns.
struct MeanStep {
  std::int64_t rank = 0;
  double wall_ns = 0;
  std::array<double, kParts> own_ns{};

  double total_ns() const {
    double sum = 0;
    for (const double part_ns : own_ns) {
      sum += part_ns;
    }
    return sum;
  }
};

std::optional<MeanStep> mean_step(const RankReport& rank) {
  constexpr std::int64_t kFewest = 10;  // of fewer, one pause of the machine makes a tenth
  if (rank.steps < kFewest) {
    return std::nullopt;
  }
  const auto count = static_cast<double>(rank.steps);
  MeanStep mean{.rank = rank.rank, .wall_ns = static_cast<double>(rank.wall_ns()) / count};
  for (std::size_t part = 0; part < kParts; ++part) {
    mean.own_ns[part] = static_cast<double>(rank.own.*kStepPhases[part].ns) / count;
  }
  return mean;
}

template <typename Value>
double median_of_others(const std::vector<MeanStep>& steps, std::int64_t rank, const Value& value) {
  std::vector<double> values;
  values.reserve(steps.size());
  for (const MeanStep& step : steps) {
    if (step.rank != rank) {
      values.push_back(value(step));
    }
  }
  return stats::median(std::move(values));
}

// "data_wait" -> "data wait".
std::string words_of(std::string_view id) {
  std::string words(id);
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

// Data wait is looked at by itself as well: a rank that waits in its forward pass (SyncBatchNorm)
// seems as late as the one that it waits for.
std::optional<Straggler> straggler(const std::vector<MeanStep>& steps, const MeanStep& one) {
  constexpr double kLeastShare = 0.1;
  const double step_ns =
      median_of_others(steps, one.rank, [](const MeanStep& step) { return step.wall_ns; });
  const double total_ns =
      one.total_ns() -
      median_of_others(steps, one.rank, [](const MeanStep& step) { return step.total_ns(); });
  std::array<double, kParts> others_ns{};
  std::size_t worst = 0;
  for (std::size_t part = 0; part < kParts; ++part) {
    others_ns[part] = median_of_others(
        steps, one.rank, [part](const MeanStep& step) { return step.own_ns[part]; });
    if (one.own_ns[part] - others_ns[part] > one.own_ns[worst] - others_ns[worst]) {
      worst = part;
    }
  }
  const double late_ns = std::max(total_ns, one.own_ns[0] - others_ns[0]);
  if (step_ns <= 0 || late_ns < kLeastShare * step_ns) {
    return std::nullopt;
  }
  const double share = late_ns / step_ns;
  return Straggler{
      one.rank,
      share,
      "rank " + std::to_string(one.rank) + " takes " + std::to_string(std::lround(100 * share)) +
          " % of a step longer than the other ranks (median), which wait for it: " +
          words_of(kStepPhases[worst].id) + ' ' + format_time(std::lround(one.own_ns[worst])) +
          " a step, theirs " + format_time(std::lround(others_ns[worst]))};
}

}  // namespace

std::vector<Straggler> stragglers(const std::vector<RankReport>& ranks) {
  std::vector<MeanStep> steps;
  steps.reserve(ranks.size());
  for (const RankReport& rank : ranks) {
    if (const auto mean = mean_step(rank)) {
      steps.push_back(*mean);
    }
  }
  std::vector<Straggler> late;
  for (std::size_t i = 0; i < steps.size() && steps.size() > 1; ++i) {
    if (auto found = straggler(steps, steps[i])) {
      late.push_back(std::move(*found));
    }
  }
  std::stable_sort(late.begin(), late.end(), [](const Straggler& a, const Straggler& b) {
    return a.late_ratio > b.late_ratio;
  });
  constexpr std::size_t kMost = 3;
  late.resize(std::min(late.size(), kMost));
  return late;
}

}  // namespace tune::trial
