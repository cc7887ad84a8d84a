#include "measure/gate/run_calibration.h"

#include "base/seeded_order.h"
#include "base/stats/quantile.h"
#include "measure/gate/count_steps.h"
#include "measure/gate/judge.h"
#include "measure/gate/process_summary.h"
#include "trial/window_sums.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace tune::gate {

namespace {

constexpr const char* kNoSample = "no A/A sample was taken for the calibration: ";

class Sample {
 public:
  Sample(GateResult& result, const GateLoop& loop) : result_(result), loop_(loop) {}

  void take() {
    if (!find_warmup()) {
      return;
    }
    Pair pair;
    pair.baseline_first = baseline_first(result_.run.seed, 1);
    for (const bool first : {true, false}) {
      const bool is_baseline = first == pair.baseline_first;
      const Side& side = is_baseline ? result_.baseline : result_.candidate;
      const auto reply = run_one(side, "sample-" + side.name, first ? 0 : 1);
      if (!reply) {
        return;
      }
      (is_baseline ? pair.baseline : pair.candidate) = summarise_process(*reply, side.spec);
    }
    if (is_clean(pair.baseline) && is_clean(pair.candidate)) {
      result_.pairs.push_back(std::move(pair));
    } else {
      give_up("other work disturbed it");
    }
  }

 private:
  static bool is_clean(const ProcessSummary& process) {
    return process.slices.clean > 0 && !process.lost_too_many;
  }

  // One process only: nobody waits for the sample.
  bool find_warmup() {
    trial::Measure& baseline = result_.baseline.spec.measure;
    trial::Measure& candidate = result_.candidate.spec.measure;
    if (candidate.find_warmup) {
      result_.warmup.was_searched = true;
      Side side = result_.baseline;
      const WarmupSearch search =
          search_warmup(candidate, 1, [&](const std::string& id, const trial::Measure& look) {
            side.spec.measure = look;
            return run_one(side, id, 0);
          });
      result_.warmup.search = search.found;
      if (search.has_failed) {
        return false;
      }
      if (!search.is_steady()) {
        return give_up(no_steady_state(search, 1));
      }
      warm_up_as_found(search, baseline);
      warm_up_as_found(search, candidate);
    }
    result_.warmup.steps = candidate.warmup_steps;
    return true;
  }

  std::optional<trial::TrialReply> run_one(const Side& side,
                                           const std::string& id,
                                           std::int64_t position) {
    auto [reply, was_interrupted] =
        run_process({side, id, {.side = side.name}, position}, result_.run, loop_);
    if (was_interrupted) {
      result_.end = End::interrupted;
      result_.end_reason = "interrupted";
    } else if (!reply) {
      const runner::TrialOutcome& outcome = result_.run.trials.back().outcome;
      give_up("process " + id + " failed, " + std::string(runner::name(outcome.kind)) +
              (outcome.reason.empty() ? "" : ": " + outcome.reason));
    }
    return reply;
  }

  bool give_up(const std::string& why) {
    result_.run.warnings.push_back(kNoSample + why);
    return false;
  }

  GateResult& result_;
  const GateLoop& loop_;
};

std::string why_equal(const GateResult& result) {
  if (result.candidate.commit == result.baseline.commit) {
    return "nothing changed: " + result.candidate.words + " is the baseline itself, " +
           result.baseline.words;
  }
  return "nothing changed: worker, LibTorch, scenario, model, plug-in and data of " +
         result.candidate.words + " are those of " + result.baseline.words;
}

}  // namespace

void conclude_equal_sides(GateResult& result, const GateLoop& loop, bool takes_sample) {
  result.end = End::nothing_changed;
  result.end_reason = why_equal(result);
  if (takes_sample) {
    Sample(result, loop).take();
  }
  conclude(result);
  result.run.elapsed_ns = loop.now_ns() - loop.start_ns;
  loop.ledger.end(result);
}

namespace {

class CalibrationSitting {
 public:
  CalibrationSitting(GateResult& record, const CalibrationPlan& plan, const GateLoop& loop)
      : record_(record), plan_(plan), loop_(loop) {}

  CalibrationRun run() {
    CalibrationRun result;
    if (!find_warmup(result) || !measure(result)) {
      return result;
    }
    result.calibration = calibrate(launches_, plan_.min_effect_ratio, record_.run.seed);
    for (const double ratio : plan_.injected_ratios) {
      const Slowed& slowed = slowed_[ratio];
      if (!slowed.differences.empty()) {
        result.calibration.detections.push_back(detect(slowed.differences,
                                                       ratio,
                                                       stats::median(slowed.arrived),
                                                       result.calibration.budget,
                                                       plan_.min_effect_ratio));
      }
    }
    result.is_complete = true;
    return result;
  }

 private:
  struct Slowed {
    std::vector<double> differences, arrived;
  };

  bool find_warmup(CalibrationRun& result) {
    trial::Measure& measure = record_.candidate.spec.measure;
    if (!measure.find_warmup) {
      return true;
    }
    Side side = record_.candidate;
    const WarmupSearch search = search_warmup(
        measure, kMostWarmupSearches, [&](const std::string& id, const trial::Measure& look) {
          side.spec.measure = look;
          return launch(side, id, {.side = side.name}, result);
        });
    if (search.has_failed) {
      return false;
    }
    if (!search.is_steady()) {
      result.end_reason = no_steady_state(search, kMostWarmupSearches);
      return false;
    }
    warm_up_as_found(search, measure);
    return true;
  }

  // Each slowed launch comes right after an equal one, which is its partner.
  bool measure(CalibrationRun& result) {
    begin_ns_ = loop_.now_ns();  // the search of the warm-up tells nothing about a launch
    std::vector<double> slowdowns;
    for (const double ratio : plan_.injected_ratios) {
      slowdowns.insert(slowdowns.end(), static_cast<std::size_t>(plan_.injected_launches), ratio);
    }
    const auto order = seeded_order(slowdowns.size(), record_.run.seed);
    const auto all = plan_.launches + static_cast<std::int64_t>(slowdowns.size());
    std::size_t next = 0;
    for (std::int64_t i = 0; i < plan_.launches; ++i) {
      if (!add_equal(i, all, result)) {
        return false;
      }
      const auto due = slowdowns.size() * static_cast<std::size_t>(i + 1) /
                       static_cast<std::size_t>(plan_.launches);
      for (; next < due; ++next) {
        if (!add_slowed(slowdowns[order[next]], static_cast<std::int64_t>(next), all, result)) {
          return false;
        }
      }
    }
    return true;
  }

  bool add_equal(std::int64_t number, std::int64_t all, CalibrationRun& result) {
    const auto reply =
        launch(record_.candidate, "a" + std::to_string(number + 1), standpoint(all), result);
    if (!reply) {
      return false;
    }
    const auto summary = summarise_process(*reply, record_.candidate.spec);
    const auto rate = summary.values.find("throughput");
    if (rate == summary.values.end()) {
      return true;  // every slice was disturbed: it says nothing
    }
    Launch launch;
    launch.log_rate = std::log(rate->second);
    for (const trial::Slice& slice : reply->slices) {
      launch.slice_log_rates.push_back(
          std::log(static_cast<double>(slice.samples) / static_cast<double>(slice.wall_ns)));
      launch.slices_s += static_cast<double>(slice.wall_ns) * 1e-9;
    }
    const runner::TrialOutcome& outcome = record_.run.trials.back().outcome;
    launch.process_s = std::max(
        0.0, static_cast<double>(outcome.end_ns - outcome.start_ns) * 1e-9 - launch.slices_s);
    launches_.push_back(std::move(launch));
    return true;
  }

  bool add_slowed(double ratio, std::int64_t number, std::int64_t all, CalibrationRun& result) {
    Side side = record_.candidate;
    side.name = "slowed";
    side.spec.measure.delay_ratio = ratio;
    const auto reply = launch(side, "s" + std::to_string(number + 1), standpoint(all), result);
    if (!reply) {
      return false;
    }
    const auto summary = summarise_process(*reply, side.spec);
    const auto rate = summary.values.find("throughput");
    if (rate == summary.values.end() || launches_.empty()) {
      return true;
    }
    const double wall_ns = trial::window_sums(reply->slices).wall_ns;
    const auto delay_ns = static_cast<double>(reply->delay_ns);
    Slowed& slowed = slowed_[ratio];
    slowed.differences.push_back(launches_.back().log_rate - std::log(rate->second));
    slowed.arrived.push_back(wall_ns > delay_ns ? delay_ns / (wall_ns - delay_ns) : 0);
    return true;
  }

  Standpoint standpoint(std::int64_t all) {
    Standpoint standpoint;
    standpoint.side = "launch";
    standpoint.pair = ++number_;
    standpoint.next_look = all;
    standpoint.last_look = all;
    const std::int64_t spent_ns = loop_.now_ns() - begin_ns_;
    standpoint.remaining_ns = number_ > 1 ? spent_ns / (number_ - 1) * (all - number_ + 1)
                                          : all * expected_process_ns(record_.candidate.spec);
    return standpoint;
  }

  std::optional<trial::TrialReply> launch(const Side& side,
                                          const std::string& id,
                                          const Standpoint& standpoint,
                                          CalibrationRun& result) {
    auto [reply, was_interrupted] = run_process({side, id, standpoint}, record_.run, loop_);
    if (was_interrupted) {
      result.end_reason = "interrupted";
    } else if (!reply) {
      const runner::TrialOutcome& outcome = record_.run.trials.back().outcome;
      result.end_reason = "a process failed (" + id +
                          "): " + std::string(runner::name(outcome.kind)) + " " + outcome.reason;
    }
    return reply;
  }

  GateResult& record_;
  const CalibrationPlan& plan_;
  const GateLoop& loop_;
  std::vector<Launch> launches_;
  std::map<double, Slowed> slowed_;
  std::int64_t number_ = 0, begin_ns_ = 0;
};

}  // namespace

CalibrationRun run_calibration(GateResult& record,
                               const CalibrationPlan& plan,
                               const GateLoop& loop) {
  return CalibrationSitting(record, plan, loop).run();
}

}  // namespace tune::gate
