#include "measure/gate/run_gate.h"

#include "measure/campaign/taint.h"
#include "measure/gate/count_steps.h"
#include "measure/gate/judge.h"
#include "measure/gate/policy.h"
#include "measure/gate/recorded_gate.h"
#include "measure/gate/same_numerics.h"
#include "measure/gate/work.h"

#include <algorithm>

namespace tune::gate {

namespace {

constexpr std::int64_t kWarmupParts = 10;  // of --time, for one search of the warm-up at most

class GateSitting {
 public:
  GateSitting(GateResult& result, const GateLoop& loop, const StoredSide* stored)
      : result_(result), loop_(loop), stored_(stored) {
    if (stored != nullptr) {
      baseline_counts_ = stored->structures;
    }
  }

  void run() {
    measure();
    if (result_.end == End::judged || !result_.rows.empty()) {  // what looks decided may not stand
      apply_controls(result_);
    }
    if (result_.end == End::judged) {
      check_epoch();
    }
    if (result_.policy.compares_counts) {
      compare_counts(result_, baseline_counts_, candidate_counts_);
    }
    conclude(result_);
    result_.run.elapsed_ns = loop_.now_ns() - loop_.start_ns;
    loop_.ledger.end(result_);
  }

 private:
  struct Process {
    ProcessSummary summary;
    std::optional<trial::Structure> structure;
  };

  void measure() {
    const bool only_counts = result_.policy.structural_only;
    if (only_counts || !find_warmup()) {
      if (only_counts || (result_.end == End::not_steady && result_.policy.compares_counts)) {
        count_only();  // needs no steady speed
      }
      return;
    }
    for (std::size_t look = 0; look < result_.looks.pairs.size(); ++look) {
      while (pairs_to_judge() < result_.looks.pairs[look]) {
        if (!add_pair(look) || !rows_are_there()) {
          return;
        }
      }
      judge(look);
      if (std::none_of(result_.rows.begin(), result_.rows.end(), [this](const Row& row) {
            return row.verdict == stats::GateVerdict::inconclusive &&
                   (!is_busy() || resists_other_work(row.metric));
          })) {
        return;
      }
    }
  }

  // Work is judged of those as well that other work disturbed.
  std::int64_t pairs_to_judge() const {
    return static_cast<std::int64_t>(result_.pairs.size() +
                                     (judges_work_ ? result_.lost_pairs.size() : 0));
  }

  // More pairs would not decide what takes a quiet machine.
  bool is_busy() const { return judges_work_ && result_.lost_pairs.size() >= result_.pairs.size(); }

  bool find_warmup() {
    trial::Measure& baseline = result_.baseline.spec.measure;
    trial::Measure& candidate = result_.candidate.spec.measure;
    if (candidate.find_warmup) {
      result_.warmup.was_searched = true;
      Side side = stored_ == nullptr ? result_.baseline : result_.candidate;
      const WarmupSearch search = search_warmup(
          candidate, kMostWarmupSearches, [&](const std::string& id, const trial::Measure& look) {
            side.spec.measure = look;
            if (result_.policy.max_time_ns) {  // pairs need the most of it
              side.spec.measure.warmup_limit_ns =
                  std::min(look.warmup_limit_ns, *result_.policy.max_time_ns / kWarmupParts);
            }
            return run_one(side, id, {.side = side.name});
          });
      result_.warmup.search = search.found;
      if (search.has_failed) {
        return false;
      }
      if (!search.is_steady() && !judges_work_) {
        return end(End::not_steady, no_steady_state(search, kMostWarmupSearches));
      }
      for (trial::Measure* const measure : {&baseline, &candidate}) {
        search.is_steady() ? warm_up_as_found(search, *measure) : warm_up_for_work(*measure);
      }
    }
    result_.warmup.steps = candidate.warmup_steps;
    return true;
  }

  // One process a side; nothing is timed.
  void count_only() {
    for (Side side : {result_.baseline, result_.candidate}) {
      if (stored_ != nullptr && side.name == "baseline") {
        continue;
      }
      side.spec.measure = counting_measure(side.spec.measure);
      const auto reply = run_one(side, "counted-" + side.name, {.side = side.name});
      if (!reply) {
        return;
      }
      counts_of(side).push_back(reply->structure);
    }
  }

  std::vector<std::optional<trial::Structure>>& counts_of(const Side& side) {
    return side.name == "baseline" ? baseline_counts_ : candidate_counts_;
  }

  bool add_pair(std::size_t look) {
    const auto lost = static_cast<std::int64_t>(result_.lost_pairs.size());
    auto number = static_cast<std::int64_t>(result_.pairs.size()) + 1 + lost + pairs_left_out_;
    for (; loop_.recording != nullptr && lacks_pair(*loop_.recording, number, stored_ == nullptr);
         ++number) {
      ++pairs_left_out_;
    }
    const std::int64_t place = number - lost;
    if (over_time()) {
      return cut(look, End::time_cap);
    }
    Pair pair;
    pair.baseline_first = baseline_first(result_.run.seed, place);
    if (stored_ != nullptr) {
      pair.baseline =
          stored_->processes[static_cast<std::size_t>(number - 1) % stored_->processes.size()];
    }
    const std::int64_t before_ns = loop_.now_ns();
    for (const bool first : {true, false}) {
      const bool is_baseline = first == pair.baseline_first;
      if (is_baseline && stored_ != nullptr) {
        continue;
      }
      const Side& side = is_baseline ? result_.baseline : result_.candidate;
      auto process = run_process(side, number, look, first);
      if (!process) {
        return result_.end == End::recording_over && cut(look, End::recording_over);
      }
      counts_of(side).push_back(process->structure);
      (is_baseline ? pair.baseline : pair.candidate) = std::move(process->summary);
    }
    pair_ns_ += loop_.now_ns() - before_ns;
    if (stored_ == nullptr) {  // losses need no quiet machine
      const std::string mismatch = loss_mismatch(
          pair.baseline, pair.candidate, same_numerics(result_.baseline, result_.candidate));
      if (!mismatch.empty()) {
        return end(End::candidate_failed, mismatch);
      }
    }
    if (pair.candidate.slices.clean == 0 || pair.baseline.slices.clean == 0) {
      return lose(std::move(pair));
    }
    lost_in_a_row_ = 0;
    result_.pairs.push_back(std::move(pair));
    return true;
  }

  // The pair is measured again in the same place, but not without end.
  bool lose(Pair pair) {
    constexpr std::int64_t kMostInARow = 3;
    const auto& taints =
        pair.candidate.taints.empty() ? pair.baseline.taints : pair.candidate.taints;
    const std::string why = taints.empty() ? "" : " (" + taints.front() + ")";
    result_.lost_pairs.push_back(std::move(pair));
    return ++lost_in_a_row_ < kMostInARow || judges_work_ ||
           end(End::disturbed,
               "the machine is too busy: in " + std::to_string(kMostInARow) +
                   " pairs in a row no slice was left alone by other work" + why +
                   "; the row cpu_time needs no quiet machine");
  }

  bool over_time() const {
    const auto run = static_cast<std::int64_t>(result_.pairs.size() + result_.lost_pairs.size());
    return exceeds_time(run > 0 ? pair_ns_ / run : 0);
  }

  bool exceeds_time(std::int64_t next_ns) const {
    return result_.policy.max_time_ns &&
           loop_.now_ns() - loop_.start_ns + next_ns > *result_.policy.max_time_ns;
  }

  // What was decided at earlier looks stands.
  bool cut(std::size_t look, End how) {
    const bool by_time = how == End::time_cap;
    const std::string pairs = std::to_string(result_.pairs.size());
    if (look == 0) {
      return end(how, nothing_judged_text(result_, how, loop_.now_ns() - loop_.start_ns));
    }
    for (Row& row : result_.rows) {
      if (row.verdict == stats::GateVerdict::inconclusive) {
        row.why = (by_time ? "time cap: sampling ended after " : "recording: it ends after ") +
                  pairs + " of " + std::to_string(result_.looks.pairs.back()) + " pairs, undecided";
      }
    }
    result_.end = End::judged;
    result_.end_reason.clear();
    // Pairs after the last look were never looked at.
    result_.pairs.resize(pairs_at_look_);
    if (judges_work_) {
      result_.lost_pairs.resize(lost_at_look_);
    }
    return false;
  }

  std::optional<Process> run_process(const Side& side,
                                     std::int64_t pair,
                                     std::size_t look,
                                     bool first) {
    Standpoint standpoint = {.side = side.name,
                             .pair = pair,
                             .next_look = result_.looks.pairs[look],
                             .last_look = result_.looks.pairs.back()};
    std::optional<Process> best;
    const std::int64_t most =
        judges_work_ && lost_in_a_row_ > 0 ? 1 : campaign::kMostAttempts;  // work needs no quiet
    for (std::int64_t attempt = 1; attempt <= most; ++attempt) {
      standpoint.attempt = attempt;
      standpoint.remaining_ns = remaining_ns(look);
      const std::string id = process_id(pair, side.name, attempt);
      auto reply = run_one(side, id, standpoint, first ? 0 : 1);
      if (!reply) {
        return std::nullopt;
      }
      Process process{summarise_process(*reply, side.spec), reply->structure};
      if (!best || process.summary.slices.clean > best->summary.slices.clean) {
        best = std::move(process);
      }
      if (!best->summary.lost_too_many) {
        break;
      }
    }
    return best;
  }

  // Nothing when it failed or does not count; then the result says how the gate ended.
  std::optional<trial::TrialReply> run_one(const Side& side,
                                           const std::string& id,
                                           const Standpoint& standpoint,
                                           std::int64_t position = 0) {
    if (!can_be_had(id)) {
      end(End::recording_over, "the recording holds no process " + id);
      return std::nullopt;
    }
    const bool is_judged = side.name == "candidate";
    auto [reply, was_interrupted] =
        gate::run_process({side, id, standpoint, position, is_judged}, result_.run, loop_);
    if (was_interrupted) {
      end(End::interrupted, "interrupted");
    } else if (!reply) {
      fail(side);
    } else if (stored_ != nullptr && stored_->incomparable) {
      const std::string why = stored_->incomparable(reply->facts);
      if (!why.empty()) {
        end(End::incomparable, why);
        return std::nullopt;
      }
    }
    return reply;
  }

  bool can_be_had(const std::string& id) const {
    return loop_.recording == nullptr || loop_.recording->processes.contains(id);
  }

  void fail(const Side& side) {
    const runner::TrialOutcome& outcome = result_.run.trials.back().outcome;
    const std::string what = std::string(runner::name(outcome.kind)) +
                             (outcome.reason.empty() ? "" : ": " + outcome.reason);
    end(side.name == "baseline" ? End::baseline_failed : End::candidate_failed,
        "the " + side.name + " failed (" + result_.run.trials.back().spec.id + "), " + what);
  }

  // Checks the epoch time, which was computed from a part of an epoch, against a whole epoch.
  void check_epoch() {
    const auto row = std::find_if(result_.rows.begin(), result_.rows.end(), [](const Row& gated) {
      return gated.metric == "epoch_time";
    });
    if (row == result_.rows.end() || row->candidate.value.value_or(0) > campaign::kCheapEpochS ||
        result_.candidate.spec.workload.script.exists()) {
      return;
    }
    // To the edge of one epoch, then a whole one.
    const auto epochs_ns = static_cast<std::int64_t>(2e9 * row->candidate.value.value_or(0));
    if (exceeds_time(expected_process_ns(result_.candidate.spec) + epochs_ns)) {
      return;
    }
    Side side = result_.candidate;
    side.spec.measure.epoch = true;
    side.spec.measure.sentinel = side.spec.measure.structure = false;
    const std::string id = "epoch-" + side.name;
    if (!can_be_had(id)) {
      return;
    }
    const auto reply =
        gate::run_process({side, id, {.side = side.name}, 0, true}, result_.run, loop_).reply;
    if (reply) {  // one that fails here takes nothing back
      result_.epoch = campaign::epoch_check(*reply, side.spec);
    }
  }

  // True when every gated metric has a value on both sides, in every pair.
  bool rows_are_there() {
    for (const Budget& budget : result_.policy.budgets) {
      for (const Pair& pair : is_work(budget.metric) ? all_pairs(result_) : result_.pairs) {
        const bool in_baseline = pair.baseline.values.contains(budget.metric);
        const bool in_candidate = pair.candidate.values.contains(budget.metric);
        if (!in_baseline || !in_candidate) {
          return end(End::row_missing,
                     "the gated metric " + budget.metric + " is missing on " +
                         (!in_baseline && !in_candidate ? "either side"
                          : in_baseline                 ? "the candidate"
                                                        : "the baseline") +
                         why_missing(budget.metric));
        }
      }
    }
    return true;
  }

  void judge(std::size_t look) {
    result_.rows = judge_look({.policy = result_.policy,
                               .looks = result_.looks,
                               .index = look,
                               .pairs = result_.pairs,
                               .earlier = result_.rows,
                               .confounded_log = stored_ == nullptr ? 0 : stored_->confounded_log,
                               .lost = judges_work_ ? &result_.lost_pairs : nullptr});
    pairs_at_look_ = result_.pairs.size();
    lost_at_look_ = result_.lost_pairs.size();
    LookRecord record;
    record.utc = loop_.utc();
    record.index = look;
    record.pairs = pairs_to_judge();
    record.alpha_spent = 2 * result_.looks.alpha_per_look();
    record.alpha_total = record.alpha_spent * static_cast<double>(look + 1);
    record.rows = result_.rows;
    for (const Pair& pair : result_.pairs) {
      record.baseline_tainted += pair.baseline.slices.tainted;
      record.candidate_tainted += pair.candidate.slices.tainted;
    }
    loop_.ledger.add(record, result_.pairs);
    loop_.watcher.looked(record);
    result_.look_records.push_back(std::move(record));
  }

  bool end(End how, const std::string& why) {
    result_.end = how;
    result_.end_reason = why;
    return false;
  }

  std::int64_t remaining_ns(std::size_t look) const {
    const auto pairs = static_cast<std::int64_t>(result_.pairs.size());
    const std::int64_t pair_ns =
        pairs > 0 ? pair_ns_ / pairs : 2 * expected_process_ns(result_.candidate.spec);
    return (result_.looks.pairs[look] - pairs) * pair_ns;
  }

  GateResult& result_;
  const GateLoop& loop_;
  const StoredSide* stored_;
  const bool judges_work_ = judges_work(result_.policy);
  std::size_t pairs_at_look_ = 0, lost_at_look_ = 0;
  std::int64_t pair_ns_ = 0, lost_in_a_row_ = 0, pairs_left_out_ = 0;
  std::vector<std::optional<trial::Structure>> baseline_counts_, candidate_counts_;
};

}  // namespace

void run_gate(GateResult& result, const GateLoop& loop, const StoredSide* stored) {
  GateSitting(result, loop, stored).run();
}

}  // namespace tune::gate
