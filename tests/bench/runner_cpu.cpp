// The cost of the orchestrator during a trial: its own CPU time over ten seconds in which the
// (fake) worker does nothing, with the callbacks and the stop flag of a campaign.

#include "measure/runner/run_trial.h"
#include "trial/knob_catalog.h"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <unistd.h>

namespace {

double own_cpu_s() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

}  // namespace

int main() {
  setenv("TUNE_FAKE_SCRIPT", R"({"behaviours": [{"do": "slow", "ns": 10000000000}]})", 1);
  const auto folder =
      std::filesystem::temp_directory_path() / ("runner_cpu." + std::to_string(getpid()));
  tune::trial::TrialSpec spec;
  spec.id = "r1-c01";
  spec.cell = "c01";
  spec.workload.model = "mlp";
  spec.knobs = tune::trial::default_settings();
  spec.folder = folder.string();
  double used_s = 0;
  int ticks = 0;
  const std::atomic<int> stop = 0;
  tune::runner::RunOptions options;
  options.worker = FAKE_WORKER;
  options.stop = &stop;
  options.on_tick = [&] { ++ticks; };
  options.on_phase = [&](const tune::runner::PhaseArrival& arrival) {
    if (arrival.phase == "measure") {
      used_s = -own_cpu_s();
    } else if (arrival.phase == "write") {
      used_s += own_cpu_s();
    }
  };
  const auto outcome = tune::runner::run_trial(spec, options);
  std::filesystem::remove_all(folder);
  std::printf("%s, %d ticks: %.4f %% of a core\n",
              std::string(tune::runner::name(outcome.kind)).c_str(),
              ticks,
              used_s * 100 / 10);
  return outcome.reply && used_s < 0.1 ? 0 : 1;
}
