#pragma once

#include "advice/rule/fact_table.h"
#include "trial/trial_reply.h"
#include "trial/trial_spec.h"
#include "trial/window_sums.h"

#include <optional>
#include <string>
#include <vector>

namespace tune::campaign {

/// Length of the measured window, s: rounded slice by slice, as in the results so far.
double window_s(const std::vector<trial::Slice>& slices);

/// Seconds that a batch of a Python script took or was waited for, as loader_batch_time of a trace
/// is for recorded steps; nothing for models, and where the batch size is not known.
std::optional<double> python_batch_s(const trial::TrialSpec& spec, const trial::WindowSums& window);

/// The share of a CPU's steps that logging, saving and converting take. The agent of a script times
/// none of its lines, so gradients that are clipped and a framework's own work are "other" to it:
/// for scripts the number of their trace is kept, which tells these apart.
void add_host_work(const trial::TrialSpec& spec,
                   double other_ratio,
                   const std::string& source,
                   rule::FactTable& facts);

/// What a script's agent saw of its process.
void add_script(const trial::TrialReply& reply, const std::string& source, rule::FactTable& facts);

/// Shares of the measured wall time, as those of the host are, between events on the GPU's stream:
/// `stream_idle_ratio`, `stream_transfer_ratio`, `optimizer_ratio`.
void add_device_phases(const std::vector<trial::Slice>& slices,
                       const std::string& source,
                       rule::FactTable& facts);

/// The ranks of a trial on several devices (trial/rank_report.h): the facts that traces of several
/// ranks have, of the measured window. Nothing where it has one.
void add_ranks(const trial::TrialReply& reply, const std::string& source, rule::FactTable& facts);

/// How batches went through threads that work ahead, as the ring loader counted it. `loads_ahead`:
/// the trial has such threads. `source` names the trial.
void add_loader_flow(const trial::TrialReply& reply,
                     bool loads_ahead,
                     const std::string& source,
                     rule::FactTable& facts);

}  // namespace tune::campaign
