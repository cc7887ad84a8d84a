#pragma once

#include "in_process_worker.h"
#include "measure/gate/gate_result.h"

namespace tune::simulation {

/// How a gate compares; what there is to find is in the worker's script: the cells "baseline" and
/// "candidate".
struct GatePlan {
  gate::Policy policy;
  trial::Measure measure;
};

/// Throughput alone, with this budget.
GatePlan throughput_gate(double budget_ratio);

/// A machine with steps of a twentieth of a second, so 20 a slice, on which the candidate is so
/// much slower.
fake::Script gate_machine(const noise::Environment& environment,
                          std::uint64_t seed,
                          double slowdown_ratio = 0);

/// A whole gate, as `tune gate` does it: looks, controls, verdict. The seed is that of the order.
gate::GateResult run_gate(const GatePlan& plan, fake::InProcessWorker& worker, std::uint64_t seed);

}  // namespace tune::simulation
