#pragma once

#include "rule/fact_table.h"
#include "trial/trial_reply.h"

#include <string>

namespace tune::campaign {

/// How batches went through threads that work ahead, as the ring loader counted it. `loads_ahead`:
/// the trial has such threads. `source` names the trial.
void add_loader_flow(const trial::TrialReply& reply,
                     bool loads_ahead,
                     const std::string& source,
                     rule::FactTable& facts);

}  // namespace tune::campaign
