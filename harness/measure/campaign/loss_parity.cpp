#include "measure/campaign/loss_parity.h"

#include "measure/campaign/campaign_result.h"
#include "trial/numerics.h"
#include "trial/trial_reply.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <map>
#include <vector>

namespace tune::campaign {

namespace {

// Sums in another order differ in the last digits, and training from random weights amplifies that
// about a hundredfold a step: ResNet-18 in another memory format is within 0.02 % at step 2 and
// 0.8 % at step 4. Other samples, or a wrong gradient, show at once.
constexpr std::int64_t kLastStep = 2;
constexpr double kTolerance = 0.01;
// The largest difference of means over all steps, for samples that other random numbers augment.
constexpr double kMeanTolerance = 0.2;

// By round the first trial that has losses.
using Rounds = std::map<std::int64_t, const trial::TrialReply*>;

Rounds rounds_of(const RecordedRun& run, const std::string& stage, const std::string& cell) {
  Rounds rounds;
  for (const TrialRecord& record : run.trials) {
    if (record.stage == stage && record.spec.cell == cell && record.outcome.reply &&
        !record.outcome.reply->losses.empty()) {
      rounds.emplace(record.round, &*record.outcome.reply);
    }
  }
  return rounds;
}

std::string changing_knob(const scenario::Cell& cell, const trial::KnobSettings& baseline) {
  for (const auto& [name, value] : cell.changed) {
    if (trial::may_change_numbers(name, baseline, cell.changed)) {
      return name;
    }
  }
  return "";
}

std::string percent(double ratio) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.2g %%", 100 * ratio);
  return text.data();
}

std::string counted(std::int64_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

double difference_of(double other, double baseline) {
  const double difference = std::abs(other - baseline) / std::max(1e-3, std::abs(baseline));
  return std::isfinite(difference) ? difference : HUGE_VAL;
}

struct Compared {
  double largest = 0;      // difference at an early step, of the baseline's loss
  std::int64_t steps = 0;  // early ones
  double mean = 0;         // difference of the means over all common steps
  std::int64_t common = 0;
  bool is_equal = true;  // at all of them
};

Compared compared(const trial::TrialReply& baseline, const trial::TrialReply& other) {
  Compared result;
  double sum = 0, other_sum = 0;
  for (const trial::Loss& loss : baseline.losses) {
    const auto partner =
        std::find_if(other.losses.begin(), other.losses.end(), [&](const trial::Loss& each) {
          return each.step == loss.step;
        });
    if (partner == other.losses.end()) {
      continue;
    }
    sum += loss.value;
    other_sum += partner->value;
    ++result.common;
    result.is_equal = result.is_equal && partner->value == loss.value;
    if (loss.step <= kLastStep) {
      result.largest = std::max(result.largest, difference_of(partner->value, loss.value));
      ++result.steps;
    }
  }
  if (result.common > 0) {
    const auto count = static_cast<double>(result.common);
    result.mean = difference_of(other_sum / count, sum / count);
  }
  return result;
}

// How many pairs were compared, and the one whose sides differ most.
struct Pairs {
  std::int64_t count = 0;
  Compared most;
};

Pairs pairs_of(const Rounds& baseline, const Rounds& changed) {
  Pairs pairs;
  for (const auto& [round, reply] : changed) {
    const auto partner = baseline.find(round);
    if (partner == baseline.end()) {
      continue;
    }
    const Compared one = compared(*partner->second, *reply);
    Compared& most = pairs.most;
    most.largest = std::max(most.largest, one.largest);
    most.mean = std::max(most.mean, one.mean);
    most.is_equal = most.is_equal && one.is_equal;
    most.steps = pairs.count == 0 ? one.steps : std::min(most.steps, one.steps);
    most.common = pairs.count == 0 ? one.common : std::min(most.common, one.common);
    ++pairs.count;
  }
  return pairs;
}

// A script that sets no seed trains from other weights each time.
double own_difference(const RecordedRun& run, const std::string& stage) {
  double largest = 0;
  const trial::TrialReply* first = nullptr;
  for (const TrialRecord& record : run.trials) {
    const auto& reply = record.outcome.reply;
    if (record.stage != stage || record.spec.cell != run.plan.cells[0].id || !reply ||
        reply->losses.empty()) {
      continue;
    }
    first = first == nullptr ? &*reply : first;
    largest = std::max(largest, compared(*first, *reply).largest);
  }
  return largest;
}

// The workers of a script's loader have seeds of their own.
constexpr const char* kDrawsOtherwise = "num_workers";
constexpr const char* kOwnNumbers = ": workers draw random numbers of their own";

bool draws_otherwise(const RecordedRun& run, const scenario::Cell& cell) {
  return run.scenario.workload.script.exists() && cell.changed.contains(kDrawsOtherwise);
}

std::string early_text(const Compared& found) {
  return "within " + percent(found.largest) + " of the baseline's at " +
         counted(found.steps, "early step");
}

// `batch_size`: of the baseline, or "".
std::string other_batches(const std::string& change, const std::string& batch_size) {
  return "not compared: " + change +
         " trains on other batches, and learning rate and schedule were chosen for " +
         (batch_size.empty() ? "the script's own" : batch_size);
}

LossParity of_batch_size(const RecordedRun& run, const trial::KnobValue& value) {
  const trial::KnobSettings& today = run.plan.cells[0].knobs;
  const auto before = today.find("batch_size");
  return {.text = other_batches("batch_size=" + trial::to_text(value),
                                before == today.end() ? "" : trial::to_text(before->second))};
}

LossParity of_preserving(const RecordedRun& run,
                         const scenario::Cell& cell,
                         const Pairs& pairs,
                         double own) {
  if (pairs.most.is_equal) {
    return {.text = "equal to the baseline's to the last digit in " + counted(pairs.count, "pair") +
                    ": numerics are preserved"};
  }
  if (own > kTolerance) {
    return {.text =
                pairs.most.largest <= own
                    ? "within the baseline's own spread (" + percent(own) + " from trial to trial)"
                    : "not compared: the baseline's own losses differ by " + percent(own) +
                          " from trial to trial"};
  }
  if (pairs.most.steps == 0) {
    return {.text = "not compared: no step was recorded on both sides"};
  }
  if (pairs.most.largest > kTolerance && draws_otherwise(run, cell)) {
    return {.text = "mean within " + percent(pairs.most.mean) + " of the baseline's over " +
                    counted(pairs.most.common, "step") + kOwnNumbers,
            .differs = pairs.most.mean > kMeanTolerance};
  }
  return {.text = early_text(pairs.most), .differs = pairs.most.largest > kTolerance};
}

std::string may_change(const std::string& change) {
  return ": " + change + " may change the numbers";
}

// It may change the numbers: by how much it did.
std::string of_changing(const Pairs& pairs, double own, const std::string& change) {
  const std::string may = may_change(change);
  if (pairs.count == 0 || pairs.most.steps == 0) {
    return "not compared" + may;
  }
  if (pairs.most.is_equal) {
    return "equal to the baseline's to the last digit in " + counted(pairs.count, "pair") +
           ", though " + change + " may change the numbers";
  }
  return (pairs.most.largest <= own
              ? "within the baseline's own spread (" + percent(own) + " from trial to trial)"
              : early_text(pairs.most)) +
         may;
}

}  // namespace

LossParity loss_parity(const RecordedRun& run, std::size_t cell, const std::string& stage) {
  const scenario::Cell& changed = run.plan.cells[cell];
  if (const auto batch = changed.changed.find("batch_size"); batch != changed.changed.end()) {
    return of_batch_size(run, batch->second);
  }
  const Pairs pairs =
      pairs_of(rounds_of(run, stage, run.plan.cells[0].id), rounds_of(run, stage, changed.id));
  const double own = own_difference(run, stage);
  if (const std::string knob = changing_knob(changed, run.plan.cells[0].knobs); !knob.empty()) {
    const std::string value = trial::to_text(changed.changed.at(knob));
    return {.text = of_changing(pairs, own, knob + "=" + value)};
  }
  if (pairs.count == 0) {
    return {.text = "not compared: no losses were recorded; none of its knobs changes numerics"};
  }
  return of_preserving(run, changed, pairs, own);
}

std::string losses_without_pairs(const std::vector<std::string>& knobs,
                                 const std::string& batch_size) {
  const auto has = [&](const char* name) {
    return std::find(knobs.begin(), knobs.end(), name) != knobs.end();
  };
  if (has("batch_size")) {
    return other_batches("another batch_size", batch_size);
  }
  const auto changing = std::find_if(knobs.begin(), knobs.end(), [](const std::string& name) {
    return trial::may_change_numbers(name, {}, {});
  });
  return changing != knobs.end() ? "not compared" + may_change(*changing)
         : has(kDrawsOtherwise)  ? std::string("not compared") + kOwnNumbers
                                 : "";
}

}  // namespace tune::campaign
