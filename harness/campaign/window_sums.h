#pragma once

#include "trial/trial_reply.h"

#include <optional>

namespace tune::campaign {

/// The slices of a measured window added up; of a sum nothing is known as soon as one part is not.
struct WindowSums {
  trial::PhaseSums phases;
  double wall_s = 0, steps = 0, samples = 0;
  double own_cpu_ns = 0, minor_faults = 0, switches = 0;
  std::optional<double> run_delay_ns = 0, main_run_delay_ns = 0, other_cpu_ns = 0, steal_ns = 0;
  std::optional<double> pressure_cpu_ns = 0;
};

WindowSums window_sums(const trial::TrialReply& reply);

}  // namespace tune::campaign
