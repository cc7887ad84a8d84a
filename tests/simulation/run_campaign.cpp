#include "run_campaign.h"

#include "../measure/campaign/invented_header.h"
#include "../measure/campaign/test_folder.h"
#include "measure/campaign/ledger.h"
#include "measure/campaign/run_trials.h"
#include "measure/campaign/summarise.h"

namespace tune::simulation {

namespace {

class NobodyWatches : public campaign::Watcher {
 public:
  void trial_begins(const campaign::Standpoint& /*standpoint*/) override {}
  void trial_ended(const campaign::Standpoint& /*standpoint*/,
                   const campaign::TrialRecord& /*record*/) override {}
};

}  // namespace

campaign::CampaignResult run_campaign(const std::string& scenario_text,
                                      fake::InProcessWorker& worker) {
  const campaign::TestFolder folder;
  campaign::RecordedRun run;
  run.directory = folder.path();
  run.ledger.header = campaign::invented_header(scenario_text, folder.path() / "known.yaml");
  run.scenario = scenario::read_scenario(scenario_text, run.ledger.header.scenario_file);
  run.plan = scenario::make_plan(run.scenario, run.ledger.header.machine);
  campaign::Ledger ledger =
      campaign::Ledger::create(campaign::ledger_file(folder.path()), run.ledger.header);
  campaign::Sitting sitting;
  sitting.started_utc = run.ledger.header.started_utc;
  sitting.start_ns = worker.now_ns();
  sitting.budget_ns = run.scenario.budget_ns;
  ledger.begin_sitting(sitting);
  NobodyWatches watcher;
  const campaign::TrialLoop loop{.ledger = ledger,
                                 .watcher = watcher,
                                 .run_trial = [&](const auto& spec) { return worker.run(spec); },
                                 .now_ns = [&] { return worker.now_ns(); },
                                 .start_ns = sitting.start_ns,
                                 .budget_ns = sitting.budget_ns};
  sitting.end_reason = campaign::run_trials(run, loop);
  sitting.end_ns = worker.now_ns();
  run.ledger.sittings.push_back(sitting);
  return campaign::summarise(run);
}

}  // namespace tune::simulation
