#pragma once

#include "measure/runner/trial_outcome.h"
#include "trial/trial_spec.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tune::runner {

using PhaseLimits = std::map<std::string, std::int64_t, std::less<>>;  ///< by phase name, ns

/// Before the worker's first phase line: exec and loading of libraries.
constexpr std::string_view kStartPhase = "start";

/// How long each phase of a trial may last, counted from its own begin. All follow from the timeout
/// T of the whole trial, which ends any phase, from the least time W that the warm-up takes, and
/// from the least time M of the measured window (0 where it is an epoch):
///
///   start        T/4, at least 20 s    nothing but loading: who is silent that long hangs
///   setup        T - W - M, at least T/2    later than that the trial cannot end in time anyway
///   first-batch  T/2, at least 20 s    one step; several more must fit into the rest
///   warmup       T - M, at least T/2
///   measure      T    a slow cell may need nearly all of it
///   write        T/2, from 10 s to 60 s    less than 16 MiB, but disks stall
///   done         5 s
///
/// So no limit ends a trial that could still have answered in time; none is longer than T.
PhaseLimits phase_limits(const trial::TrialSpec& spec);

/// Reads the lines "<phase> <monotonic ns>" of a worker (trial/worker_lines.h) from arbitrary
/// pieces.
class PhaseLines {
 public:
  /// Phases that began in this piece of text.
  std::vector<PhaseArrival> add(std::string_view text, std::int64_t now_ns);

  /// The last phase begun; "" before the first.
  const std::string& phase() const { return phase_; }

  /// What was wrong with the first line that made no sense; "" when all did. Later ones are not
  /// read.
  const std::string& problem() const { return problem_; }

 private:
  void add_line(std::string_view line, std::int64_t now_ns, std::vector<PhaseArrival>& begun);

  std::string partial_, phase_, problem_;
  std::int64_t last_ns_ = 0;  // when the last one began
  std::size_t next_ = 0;      // in trial::kPhases: a phase may be left out, none comes back
};

}  // namespace tune::runner
