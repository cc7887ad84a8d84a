#pragma once

#include "measure/campaign/taint.h"
#include "trial/trial_reply.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tune::campaign {

/// Why what a process measured is not its steady state.
struct Veto {
  std::string name;  ///< no-steady-state | memory-growth | page-faults | clock | throttled |
                     ///< loader-stock
  std::string why;   ///< a sentence with figures, without its full stop
  /// How far at most the rate is from the steady one, larger ÷ smaller - 1; nothing: the counters
  /// do not tell.
  std::optional<double> bias_ratio = {};
};

/// What the counters of the slices say against the steady state, on a machine without a GPU. A
/// trend counts where its chance is at most 1 % (stats::kendall_trend: from five slices on, one
/// order of 120) and it is large enough to matter:
///
/// - memory-growth: the resident size rises by more than 2 % and 16 MiB over the window. Our own
///   cut, for the page of the method names the caching allocator of a GPU only: the times of
///   100,000 steps that a worker keeps take 6 MB.
/// - page-faults: the faults of a step rise or fall by more than 1 % of its time, at 1 us each: the
///   order of what a minor fault with the zeroing of its page costs. Our own cut, as large as the
///   shift of the times that the guard allows.
/// - clock: the CPUs' clock rises or falls by more than 1 %, what the method says of a GPU's clock.
/// - throttled: heat slowed a CPU down in any slice, for it slows down the next ones as well.
/// - loader-stock: of the samples of the slices that count, more than 1 % came out of the loader's
///   stock, or went into it, or the stock did not match at the window's edges: the rule by which
///   the worker extends its window. Then a loader-bound cell is faster than it can stay, or slower.
///
/// What growing memory and page faults cost is in the times of the steps: steadiness() takes their
/// drift for the bias. What the kernel does not say does not veto. Names come in this order, each
/// at most once.
std::vector<Veto> steady_vetoes(const trial::TrialReply& reply, const CleanRate& clean);

/// Whether a trial measured its steady state, by its own steps and counters: the length of its
/// warm-up was found in another process.
struct Steadiness {
  std::vector<Veto> vetoes;  ///< none: nothing speaks against it
  std::string weakness;      ///< why a slow drift could hide in so few steps, or ""

  bool is_steady() const { return vetoes.empty(); }
  bool is_weak() const { return !weakness.empty(); }
  bool has(const std::string& veto) const;
  /// The name of the first veto; else "weak" or "steady".
  std::string label() const;
  /// The sentences behind the label, "" of a steady one.
  std::string why() const;
  /// How far at most its rate is from the steady one, larger ÷ smaller - 1, all vetoes together;
  /// nothing where one of them does not tell.
  std::optional<double> bias_ratio() const;
};

/// The guard (stats::check_steady) on the steps of the slices that count, whose failure is the veto
/// "no-steady-state", then steady_vetoes().
Steadiness steadiness(const trial::TrialReply& reply);

/// How many trials of a group measured their steady state.
struct SteadyTally {
  std::int64_t trials = 0;
  std::int64_t weak = 0;                       ///< steady, as far as so few steps can tell
  std::int64_t not_steady = 0;                 ///< by the guard or a veto
  std::map<std::string, std::int64_t> vetoes;  ///< name -> trials
  std::string first;                           ///< not steady: "r1-c01: <why>", or ""

  std::vector<double> biases;  ///< of those not steady (Steadiness::bias_ratio())

  void add(const std::string& trial, const Steadiness& steadiness);

  /// The median bias of the trials that are not steady: a single wild one is in the interval of the
  /// pairs. 0 where all are steady, nothing where the bias of one is not known.
  std::optional<double> typical_bias_ratio() const;
  /// More than half of them.
  bool is_mostly_not_steady() const { return 2 * not_steady > trials; }
  /// What most of them are: the commonest veto, "weak" or "steady"; "" of no trial.
  std::string label() const;
  /// "3 of 24 trials were not steady (2 clock, 1 no-steady-state), the first: r1-c01: ..."; ""
  /// where all were. `what` names the group: "trials".
  std::string text(const std::string& what) const;
};

}  // namespace tune::campaign
