#include "worker/script/ranks_compared.h"

#include "base/stats/quantile.h"
#include "base/units.h"
#include "worker/script/script_reply.h"
#include "worker/script/slices.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>

namespace tune::script {

namespace {

// The parts of a step in which no rank waits for another one, as far as nobody asks for more than
// DistributedDataParallel does.
struct OwnPart {
  const char* name;
  std::int64_t trial::PhaseSums::*sum;
};
constexpr std::array kOwnParts = {OwnPart{"data wait", &trial::PhaseSums::data_wait_ns},
                                  OwnPart{"transfer", &trial::PhaseSums::transfer_ns},
                                  OwnPart{"forward", &trial::PhaseSums::forward_ns},
                                  OwnPart{"optimizer", &trial::PhaseSums::optimizer_ns},
                                  OwnPart{"other", &trial::PhaseSums::other_ns}};

// The mean step of a rank, ns.
struct MeanStep {
  std::size_t rank = 0;
  double wall_ns = 0;
  std::array<double, kOwnParts.size()> own_ns{};

  double total_ns() const {
    double sum = 0;
    for (const double part_ns : own_ns) {
      sum += part_ns;
    }
    return sum;
  }
};

std::optional<MeanStep> mean_step(std::size_t rank, const GroupedNotes& notes) {
  constexpr std::size_t kFewest = 10;  // of fewer, one pause of the machine makes a tenth
  const auto window = steps_between(notes, kWindowBegins, kWindowEnds);
  if (window.size() < kFewest) {
    return std::nullopt;
  }
  trial::PhaseSums sums;
  for (const Step& step : window) {
    sums += step.phases;
  }
  const auto count = static_cast<double>(window.size());
  MeanStep mean{.rank = rank, .wall_ns = static_cast<double>(sums.total_ns()) / count};
  for (std::size_t part = 0; part < kOwnParts.size(); ++part) {
    mean.own_ns[part] = static_cast<double>(sums.*kOwnParts[part].sum) / count;
  }
  return mean;
}

template <typename Value>
double median_of_others(const std::vector<MeanStep>& steps, std::size_t rank, const Value& value) {
  std::vector<double> values;
  values.reserve(steps.size());
  for (const MeanStep& step : steps) {
    if (step.rank != rank) {
      values.push_back(value(step));
    }
  }
  return stats::median(std::move(values));
}

struct Straggler {
  double share = 0;  // of a step
  std::string sentence;
};

// Data wait is looked at by itself as well: a rank that waits in its forward pass (SyncBatchNorm)
// seems as late as the one that it waits for.
std::optional<Straggler> straggler(const std::vector<MeanStep>& steps, const MeanStep& one) {
  constexpr double kLeastShare = 0.1;
  const double step_ns =
      median_of_others(steps, one.rank, [](const MeanStep& step) { return step.wall_ns; });
  const double total_ns =
      one.total_ns() -
      median_of_others(steps, one.rank, [](const MeanStep& step) { return step.total_ns(); });
  std::array<double, kOwnParts.size()> others_ns{};
  std::size_t worst = 0;
  for (std::size_t part = 0; part < kOwnParts.size(); ++part) {
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
  return Straggler{share,
                   "rank " + std::to_string(one.rank) + " takes " +
                       std::to_string(std::lround(100 * share)) +
                       " % of a step longer than the other ranks (median), which wait for it: " +
                       kOwnParts[worst].name + ' ' + format_time(std::lround(one.own_ns[worst])) +
                       " a step, theirs " + format_time(std::lround(others_ns[worst]))};
}

}  // namespace

std::vector<std::string> stragglers(const std::vector<const GroupedNotes*>& ranks) {
  std::vector<MeanStep> steps;
  steps.reserve(ranks.size());
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    if (const auto mean = mean_step(rank, *ranks[rank])) {
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
    return a.share > b.share;
  });
  constexpr std::size_t kMost = 3;
  late.resize(std::min(late.size(), kMost));
  std::vector<std::string> sentences;
  sentences.reserve(late.size());
  for (Straggler& one : late) {
    sentences.push_back(std::move(one.sentence));
  }
  return sentences;
}

std::string missing_ranks(const std::vector<const GroupedNotes*>& ranks, std::int64_t world) {
  const std::int64_t seen = std::ssize(ranks);
  if (seen == 0 || seen >= world) {
    return "";
  }
  return "the rate is that of " + std::to_string(seen) + " of " + std::to_string(world) +
         " ranks: the others run on another machine, or have not trained. tune reads the notes of "
         "ranks on the machine of rank 0";
}

}  // namespace tune::script
