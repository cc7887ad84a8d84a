#pragma once

#include "measure/gate/policy.h"
#include "trial/trial_reply.h"
#include "trial/trial_spec.h"

#include <optional>
#include <string>
#include <string_view>

namespace tune::gate {

// What the code does, whoever else uses the machine: contention changes how long a step lasts, and
// much less how much work it is. Rows of such metrics take every slice of every pair, and no shift
// of the environment takes their verdict back; what noise contention leaves is that of the pairs.

/// CPU time of one step on all threads of the process; nothing where the kernel does not tell.
std::optional<double> cpu_time(const trial::TrialReply& reply, const trial::TrialSpec& spec);

/// Instructions of one step on all threads of the process; nothing without the processor's counter.
std::optional<double> instructions(const trial::TrialReply& reply, const trial::TrialSpec& spec);

/// Whether that metric is such work: cpu_time, instructions.
bool is_work(std::string_view metric);

/// Why a metric that is work may be missing, and what to gate instead; "" for others.
std::string why_missing(std::string_view metric);

/// Whether the policy gates one.
bool judges_work(const Policy& policy);

/// Whether other work leaves that metric as it is: work, and memory. A step is slowed down by it.
bool resists_other_work(std::string_view metric);

}  // namespace tune::gate
