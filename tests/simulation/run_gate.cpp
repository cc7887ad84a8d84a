#include "run_gate.h"

#include "../measure/campaign/test_folder.h"
#include "measure/gate/run_gate.h"
#include "trial/knob_catalog.h"

namespace tune::simulation {

namespace {

class NobodyWatches : public gate::Watcher {
 public:
  void process_begins(const gate::Standpoint& /*standpoint*/) override {}
  void process_ended(const gate::Standpoint& /*standpoint*/,
                     const campaign::TrialRecord& /*record*/,
                     const gate::ProcessSummary* /*summary*/) override {}
  void looked(const gate::LookRecord& /*look*/) override {}
};

}  // namespace

GatePlan throughput_gate(double budget_ratio) {
  GatePlan plan;
  plan.policy.budgets = {{"throughput", budget_ratio}};
  plan.measure.sentinel = true;
  return plan;
}

fake::Script gate_machine(const noise::Environment& environment,
                          std::uint64_t seed,
                          double slowdown_ratio) {
  fake::Script script;
  script.seed = seed;
  script.environment = environment;
  script.samples_per_s = 20;  // the default batch is one sample
  script.cells["candidate"].slowdown_ratio = slowdown_ratio;
  return script;
}

gate::GateResult run_gate(const GatePlan& plan, fake::InProcessWorker& worker, std::uint64_t seed) {
  const campaign::TestFolder folder;
  gate::GateResult result;
  result.run.directory = folder.path();
  result.run.seed = seed;
  result.policy = plan.policy;
  result.looks = gate::look_schedule(plan.policy);
  result.baseline.name = "baseline";
  result.candidate.name = "candidate";
  for (gate::Side* const side : {&result.baseline, &result.candidate}) {
    side->spec.knobs = trial::default_settings();
    side->spec.data.samples = 10'000;
    side->spec.measure = plan.measure;
  }
  gate::GateLedger ledger(folder.path(), result);
  NobodyWatches watcher;
  const gate::GateLoop loop{.ledger = ledger,
                            .watcher = watcher,
                            .run_trial = [&](const auto& spec) { return worker.run(spec); },
                            .now_ns = [&] { return worker.now_ns(); },
                            .utc = [] { return std::string("2026-11-21T12:00:00Z"); },
                            .start_ns = worker.now_ns()};
  gate::run_gate(result, loop);
  return result;
}

}  // namespace tune::simulation
