#pragma once

#include "measure/campaign/steadiness.h"
#include "measure/campaign/taint.h"
#include "trial/trial_reply.h"
#include "trial/trial_spec.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tune::gate {

/// What the verdict needs to know of one process.
struct ProcessSummary {
  std::map<std::string, double> values;  ///< metric -> value, what could be had
  std::optional<double> sentinel_ns;     ///< the faster of before and after
  campaign::SliceCount slices;
  std::vector<std::string> taints;        ///< why, one for each tainted slice
  std::vector<double> slice_log_times;    ///< of clean slices, less the process's median
  campaign::Steadiness steadiness;        ///< by its own steps and counters
  std::map<std::int64_t, double> losses;  ///< by step
  std::int64_t delay_ns = 0;              ///< injected
  std::int64_t measured_ns = 0;           ///< wall time of the clean slices

  /// More than 2 of 5 slices.
  bool lost_too_many = false;
};

ProcessSummary summarise_process(const trial::TrialReply& reply, const trial::TrialSpec& spec);

/// Why the losses of two processes, which began with the same weights and saw the same samples in
/// the same order, cannot come from the same computation; "" when they can. A loss that is no
/// number counts against the candidate unless the baseline has lost its numbers as well.
std::string loss_mismatch(const ProcessSummary& baseline,
                          const ProcessSummary& candidate,
                          bool same_numerics);

/// A process that completed, as its folder has it.
struct MeasuredProcess {
  trial::TrialSpec spec;
  trial::TrialReply reply;
};

/// Those of one cell in the directory of a run or of a gate that were measured to be compared: not
/// what looked for the warm-up, counted, timed an epoch or was slowed down on purpose. In the order
/// of their names. Throws tune::Error for what cannot be read.
std::vector<MeasuredProcess> measured_processes(const std::filesystem::path& directory,
                                                const std::string& cell);

}  // namespace tune::gate
