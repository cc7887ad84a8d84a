#pragma once

#include "advice/rule/fact_table.h"
#include "trial/trial_reply.h"
#include "trial/trial_spec.h"

#include <optional>
#include <string>

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

/// Seconds that a batch of a Python script took or was waited for, as loader_batch_time of a trace
/// is for recorded steps; nothing for models, and where the batch size is not known.
std::optional<double> python_batch_s(const trial::TrialSpec& spec, const WindowSums& window);

/// The share of a CPU's steps that logging, saving and converting take. The agent of a script times
/// none of its lines, so gradients that are clipped and a framework's own work are "other" to it:
/// for scripts the number of their trace is kept, which tells these apart.
void add_host_work(const trial::TrialSpec& spec,
                   const WindowSums& window,
                   const std::string& source,
                   rule::FactTable& facts);

/// What a script's agent saw of its process.
void add_script(const trial::TrialReply& reply, const std::string& source, rule::FactTable& facts);

/// How batches went through threads that work ahead, as the ring loader counted it. `loads_ahead`:
/// the trial has such threads. `source` names the trial.
void add_loader_flow(const trial::TrialReply& reply,
                     bool loads_ahead,
                     const std::string& source,
                     rule::FactTable& facts);

}  // namespace tune::campaign
