#pragma once

#include "scenario/scenario.h"
#include "trial/trial_reply.h"
#include "trial/trial_spec.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tune::campaign {

struct CampaignResult;

/// What a campaign knows of one completed trial when it judges it.
struct JudgedTrial {
  const trial::TrialSpec& spec;
  const trial::TrialReply& reply;
  std::int64_t memory_limit_bytes = 0;  ///< of the machine or its cgroup; 0: not known. A trial on
                                        ///< a GPU has its memory instead
  std::optional<double> device_joules = std::nullopt;  ///< of its outcome
  std::optional<double> sample_flops = std::nullopt;   ///< operations of a sample: sample_flops()
};

/// FLOP/s that a GPU of this name has at best for the products of a setting: its numbers are halves
/// under `amp`; else float32, as TF32 where the GPU has it and `tf32` or `matmul_precision` allow
/// it for what the model mostly computes, convolutions or matrix products. Nothing for a GPU that
/// is not in machine/device_peaks.h, and for a model that is not in the catalogue.
std::optional<double> product_peak(const trial::TrialSpec& spec, std::string_view gpu);

/// Operations of one sample, from the trace of the baseline, or of the first other cell that has
/// one; the same for every setting of a model. Nothing without recorded shapes, and not from a
/// setting that recomputes activations.
std::optional<double> sample_flops(const CampaignResult& run);

/// A metric of the scenario's `objective:` and `constraints:`: throughput (samples/s, clean
/// slices), step_time (s), epoch_time (s), peak_memory_bytes, peak_memory_ratio (of the limit),
/// energy_per_sample (J of the GPU), mfu (sample_flops x throughput of one device ÷
/// product_peak()). Nothing when this trial does not tell.
std::optional<double> metric_value(std::string_view metric, const JudgedTrial& trial);

/// ln of what the scenario wants more of: of the throughput, or of the inverse of what it
/// minimises. The difference of two scores is a log gain, of mfu too, whose score leaves out the
/// operations of a sample, equal in all settings. Nothing when this trial does not tell.
std::optional<double> objective_score(const scenario::Scenario& scenario, const JudgedTrial& trial);

/// "peak_memory_ratio 0.93 is above 0.9": the constraints that the trial breaks. One that cannot be
/// judged breaks nothing.
std::vector<std::string> broken_constraints(const scenario::Scenario& scenario,
                                            const JudgedTrial& trial);

/// "breaks a constraint: peak_memory_ratio 0.93 is above 0.9"; "" where none is broken.
std::string constraint_text(const std::vector<std::string>& broken);

}  // namespace tune::campaign
