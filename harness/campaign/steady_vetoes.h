#pragma once

#include "campaign/taint.h"
#include "trial/trial_reply.h"

#include <optional>
#include <string>
#include <vector>

namespace tune::campaign {

/// Why what a process measured is not its steady state.
struct Veto {
  std::string name;  ///< no-steady-state | memory-growth | page-faults | clock | throttled |
                     ///< loader-stock
  std::string why;   ///< a sentence with figures, without its full stop
  /// How far at most the rate is from the steady one, relative; nothing: the counters do not tell.
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
/// What the kernel does not tell is no veto. Names come in this order, each at most once.
std::vector<Veto> steady_vetoes(const trial::TrialReply& reply, const CleanRate& clean);

}  // namespace tune::campaign
