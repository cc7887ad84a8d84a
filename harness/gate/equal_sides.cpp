#include "gate/equal_sides.h"

#include "campaign/pair_order.h"
#include "gate/judge.h"
#include "gate/process_summary.h"
#include "gate/steady_warmup.h"

#include <algorithm>
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
    pair.baseline_first = campaign::baseline_first(result_.run.seed, 1);
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

}  // namespace tune::gate
