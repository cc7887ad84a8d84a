#pragma once

#include "trial/trial_reply.h"

#include <optional>
#include <vector>

namespace tune::trial {

/// The slices of a measured window added up. A sum is unknown as soon as one part is.
struct WindowSums {
  PhaseSums phases;
  double wall_ns = 0, steps = 0, samples = 0;
  double own_cpu_ns = 0, minor_faults = 0, switches = 0;
  std::optional<double> run_delay_ns = 0, main_run_delay_ns = 0, other_cpu_ns = 0, steal_ns = 0;
  std::optional<double> pressure_cpu_ns = 0, instructions = 0, pin_thread_cpu_ns = 0;

  double wall_s() const { return wall_ns * 1e-9; }
  double data_wait_ns() const { return static_cast<double>(phases.data_wait_ns); }
  /// Seconds of one step; nothing without a step.
  std::optional<double> per_step_s(double ns) const {
    return steps > 0 ? std::optional(ns / steps * 1e-9) : std::nullopt;
  }
};

WindowSums window_sums(const std::vector<Slice>& slices);

}  // namespace tune::trial
