// Whatever a scenario or a flag may say can be read again: from the ledger of its run, and by the
// worker that gets its spec.

#include "base/error.h"
#include "invented_header.h"
#include "measure/campaign/ledger.h"
#include "measure/campaign/ledger_record.h"
#include "measure/campaign/recorded_run.h"
#include "measure/campaign/settings.h"
#include "scenario/scenario.h"
#include "test_folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace tune::campaign {

namespace {

// Around every power of ten, in every unit that a time may have, and what no time is.
std::vector<std::string> values() {
  std::vector<std::string> all = {"", "-1", "0", "auto", "1e9", "999999999999999999999999", "none"};
  for (const std::string number : {"0.5",
                                   "1",
                                   "23.9",
                                   "24",
                                   "24.1",
                                   "49",
                                   "999",
                                   "1000",
                                   "1001",
                                   "10000",
                                   "10001",
                                   "27778",
                                   "100000",
                                   "1000001",
                                   "9223372036",
                                   "2600000000000000",
                                   "9223372036854775807"}) {
    for (const char* const unit : {"", "ns", "us", "ms", "s", "min", "m", "h", "%"}) {
      all.push_back(number + unit);
    }
  }
  return all;
}

std::string scenario_with(const std::string& section, const std::string& key_and_value) {
  return "tune: 1\nname: fake\n"
         "workload: {model: mlp, task: train, image_size: 32, classes: 10}\n"
         "data: {source: synthetic, samples: 64}\n"
         "baseline: {batch_size: 16}\ngrid: {batch_size: [32]}\n" +
         section + ": {" + key_and_value + "}\n";
}

// A run of it, from its first line to that of its first trial.
void expect_readable(const std::string& text, const std::vector<std::string>& overrides) {
  const LedgerHeader header = invented_header(text, "/somewhere/fake.yaml", overrides);
  scenario::Scenario scenario = scenario::read_scenario(text, header.scenario_file);
  for (const std::string& assignment : overrides) {
    apply_override(scenario, assignment);
  }
  const scenario::Plan plan = scenario::make_plan(scenario, header.machine);
  const trial::TrialSpec spec = make_spec(scenario, plan.cells.front(), "r1-baseline", "/run");
  EXPECT_EQ(trial::parse_trial_spec(to_json(spec), "spec.json").measure, spec.measure);
  LoggedTrial trial;
  trial.id = spec.id;
  trial.stage = "search";
  trial.cell = spec.cell;
  trial.round = 1;
  trial.timeout_ns = spec.timeout_ns;
  trial.outcome.kind = runner::OutcomeKind::timed_out;
  trial.outcome.start_ns = 1;
  trial.outcome.end_ns = 1 + spec.timeout_ns;
  Sitting sitting;
  sitting.budget_ns = scenario.budget_ns;
  const LedgerContents contents = parse_ledger(
      to_line(header) + "\n" + sitting_start_line(sitting) + "\n" + to_line(trial) + "\n",
      "ledger");
  EXPECT_TRUE(contents.left_out.empty()) << contents.left_out.front().why;
  EXPECT_EQ(contents.sittings.front().budget_ns, scenario.budget_ns);
}

template <class Read>
bool is_accepted(Read read) {
  try {
    read();
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

TEST(RecordedLimits, WhatAFlagMaySayIsReadAgain) {
  const std::string text = scenario_with("measure", "rounds: 3");
  int accepted = 0;
  for (const std::string key : {"budget",
                                "trial_timeout",
                                "slice",
                                "slices",
                                "warmup",
                                "rounds",
                                "confirm_rounds",
                                "until",
                                "seed",
                                "batch_size",
                                "num_workers"}) {
    for (const std::string& value : values()) {
      const std::string assignment = key + "=" + value;
      if (is_accepted([&] { invented_header(text, "/somewhere/fake.yaml", {assignment}); })) {
        ++accepted;
        SCOPED_TRACE(assignment);
        expect_readable(text, {assignment});
      }
    }
  }
  EXPECT_GT(accepted, 200);
}

TEST(RecordedLimits, WhatAScenarioMaySayIsReadAgain) {
  int accepted = 0;
  for (const auto& [section, key] :
       std::vector<std::pair<std::string, std::string>>{{"search", "budget"},
                                                        {"search", "seed"},
                                                        {"search", "confirm_rounds"},
                                                        {"measure", "trial_timeout"},
                                                        {"measure", "slice"},
                                                        {"measure", "slices"},
                                                        {"measure", "slice_steps"},
                                                        {"measure", "warmup"},
                                                        {"measure", "rounds"}}) {
    for (const std::string& value : values()) {
      const std::string text = scenario_with(section, key + ": " + value);
      if (is_accepted([&] { scenario::read_scenario(text, "/somewhere/fake.yaml"); })) {
        ++accepted;
        SCOPED_TRACE(text);
        expect_readable(text, {});
      }
    }
  }
  EXPECT_GT(accepted, 100);
}

TEST(RecordedLimits, WhatIsTooLongIsToldAtOnce) {
  const std::string text = scenario_with("measure", "rounds: 3");
  for (const char* const assignment :
       {"budget=27778h", "trial_timeout=49h", "slice=25h", "warmup=1441m"}) {
    scenario::Scenario scenario = scenario::read_scenario(text, "/somewhere/fake.yaml");
    EXPECT_THROW(apply_override(scenario, assignment), Error) << assignment;
  }
  for (const auto& [section, setting] :
       std::vector<std::pair<std::string, std::string>>{{"search", "budget: 27778h"},
                                                        {"measure", "trial_timeout: 49h"},
                                                        {"gate", "max_time: 10001h"}}) {
    try {
      scenario::read_scenario(scenario_with(section, setting), "/somewhere/fake.yaml");
      ADD_FAILURE() << setting;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("is not a time that fits (above 0 and at most "),
                std::string::npos)
          << error.what();
    }
  }
}

// The header is judged before anything is measured.
TEST(RecordedLimits, ALedgerThatNobodyCouldReadIsNotBegun) {
  LedgerHeader header = invented_header(scenario_with("measure", "rounds: 3"), "/fake.yaml");
  header.overrides = {"only=" + std::string(5000, ' ') + "num_workers > 0"};
  const TestFolder folder;
  EXPECT_THROW(Ledger::create(ledger_file(folder.path()), header), Error);
  EXPECT_FALSE(std::filesystem::exists(ledger_file(folder.path())));
}

}  // namespace tune::campaign
