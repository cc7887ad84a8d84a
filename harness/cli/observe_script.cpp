#include "cli/observe_script.h"

#include "base/error.h"
#include "cli/answer.h"
#include "cli/interruption.h"
#include "cli/prepare_inputs.h"
#include "cli/script_scenario.h"
#include "cli/script_words.h"
#include "cli/standard_streams.h"
#include "cli/trial_machine.h"
#include "machine/user_folders.h"
#include "measure/runner/run_trial.h"
#include "scenario/read_script.h"
#include "scenario/scenario.h"
#include "trial/window_sums.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace tune::cli {

namespace {

namespace fs = std::filesystem;

// ---------------------------------------------------------------------------------- the trial

// For this process alone; gone with the object.
class ObservationFolder {
 public:
  ObservationFolder()
      : path_(machine::runtime_folder() / ("observed-" + std::to_string(getpid()))) {
    machine::make_private_folder(path_);
  }
  ~ObservationFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  ObservationFolder(const ObservationFolder&) = delete;
  ObservationFolder& operator=(const ObservationFolder&) = delete;

  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

trial::TrialSpec observing_spec(const trial::Workload& workload,
                                std::int64_t timeout_ns,
                                const fs::path& folder) {
  trial::TrialSpec spec;
  spec.id = "observed";
  spec.cell = "baseline";
  spec.workload = workload;
  spec.workload.script.is_watched = true;
  spec.data.source = "script";
  spec.knobs = trial::default_settings(true);
  for (const auto& [knob, value] : workload.script.observed) {
    spec.knobs[knob] = value;
  }
  // Ten seconds, or five steps of slow ones: also to see whether it ends by itself.
  spec.measure = {
      .warmup_steps = 2, .warmup_ns = 0, .slices = 5, .slice_ns = 2'000'000'000, .slice_steps = 1};
  spec.timeout_ns = timeout_ns;
  spec.folder = (folder / spec.id).string();
  return spec;
}

// What is put behind -- without the program that runs it: a script, or a notebook, which Python
// does not run either.
void refuse_file_alone(const std::vector<std::string>& command) {
  const std::string& program = command.front();
  for (const std::string& word : command) {
    const bool is_for_python =
        word == program || fs::path(program).filename().string().starts_with("python");
    if (word.ends_with(".ipynb") && is_for_python) {
      throw Error(scenario::notebook_complaint(word));
    }
  }
  if (command.size() == 1 && program.find(' ') != std::string::npos && !fs::exists(program)) {
    throw Error(Error::Parts{program,
                             "is one word, not a program and its words",
                             "the quotes make it one",
                             "-- " + program});
  }
  const bool is_searched = program.find('/') == std::string::npos;  // in PATH alone
  if (program.ends_with(".py") && fs::exists(program) &&
      (is_searched || access(program.c_str(), X_OK) != 0)) {
    throw Error(Error::Parts{
        program, "is a script, not a program", "python runs it", "-- python " + program});
  }
}

// The script's own last words, where it has some.
[[noreturn]] void refuse(const trial::TrialSpec& spec, const runner::TrialOutcome& outcome) {
  std::cerr << last_words(spec.folder);
  throw Error(
      Error::Parts{command_line(spec.workload.script), "cannot be measured", outcome.reason, ""});
}

// What the steps of the warm-up took longer than as many of the window.
std::int64_t settling_ns(const trial::TrialReply& reply) {
  const trial::WindowSums window = trial::window_sums(reply.slices);
  const auto step_ns =
      static_cast<std::int64_t>(window.per_step_s(window.wall_ns).value_or(0) * 1e9);
  const auto count = std::min(reply.warmup_steps, static_cast<std::int64_t>(reply.step_ns.size()));
  std::int64_t sum_ns = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    sum_ns += reply.step_ns[static_cast<std::size_t>(i)] - step_ns;
  }
  return std::max<std::int64_t>(sum_ns, 0);
}

}  // namespace

trial::Workload workload_of(const std::vector<std::string>& command,
                            const CommandOptions& options) {
  refuse_file_alone(command);
  trial::Workload workload;
  workload.script.command = command;
  workload.script.folder = fs::current_path().string();
  workload.script.count = options.count;
  if (!options.no_shield) {
    workload.script.shield = {workload.script.folder};
  }
  workload.model = "script:" + trial::script_name(command);
  return workload;
}

runner::TrialOutcome look_once(const trial::TrialSpec& spec, bool quiet) {
  const Interruption interruption;
  runner::RunOptions options;
  options.worker = find_worker_program(spec.workload);
  options.stop = &interruption.level();
  options.tick_ns = 5'000'000'000;
  options.on_tick = quiet ? nullptr : tell_waits(spec.folder);
  runner::TrialOutcome outcome = runner::run_trial(spec, options);
  if (outcome.kind == runner::OutcomeKind::interrupted) {
    throw PreparationInterrupted{interruption.exit_code()};
  }
  if (!outcome.reply || !outcome.reply->script) {
    refuse(spec, outcome);
  }
  return outcome;
}

ObservedScript observe_script(const trial::Workload& workload,
                              std::int64_t timeout_ns,
                              bool quiet) {
  if (!quiet) {
    std::cerr << "looking at " << command_line(workload.script) << " for a few steps, unchanged\n";
  }
  const ObservationFolder folder;
  const runner::TrialOutcome outcome =
      look_once(observing_spec(workload, timeout_ns, folder.path()), quiet);
  ObservedScript observed{.machine = machine::read_machine_facts("/")};
  observed.workload = workload;
  observed.reply = *outcome.reply;
  observed.workload.script.observed = observed.reply.script->observed;
  observed.workload.device = observed.reply.facts.device;
  observed.worker_costs = read_worker_costs(folder.path() / "observed" / "agent" / "facts.0.json",
                                            observed.reply,
                                            static_cast<double>(observed.machine.cpus));
  for (const runner::PhaseArrival& arrival : outcome.arrivals) {
    if (arrival.phase == "first-batch") {
      observed.setup_ns = arrival.worker_ns - outcome.start_ns;
    }
  }
  observed.settling_ns = settling_ns(observed.reply);
  if (!quiet) {
    for (const std::string& line : summary_of(observed)) {
      std::cerr << "  " << line << "\n";
    }
    const trial::SeenScript& seen = *observed.reply.script;
    for (const std::string& note :
         seen.ended_after_steps ? std::vector<std::string>() : seen.notes) {
      std::cerr << "  note: " << note << "\n";
    }
  }
  return observed;
}

void expect_script_folder(const scenario::Scenario& scenario) {
  const trial::Script& script = scenario.workload.script;
  std::error_code failed;
  if (script.exists() && !std::filesystem::is_directory(script.folder, failed)) {
    throw Error(Error::Parts{short_path(scenario.file),
                             "'workload.cwd' is not a folder",
                             script.folder,
                             "a path relative to the scenario"});
  }
}

void observe_if_needed(const std::string& file, bool quiet) {
  const scenario::Scenario scenario = read_named_scenario(file);
  if (!scenario.workload.script.exists() || !scenario.workload.script.observed.empty()) {
    return;
  }
  expect_script_folder(scenario);
  const ObservedScript observed =
      observe_script(scenario.workload, scenario.trial_timeout_ns, quiet);
  set_scenario_text(
      file,
      scenario::with_observed(
          scenario.text, observed.workload.script.observed, observed.workload.device));
}

}  // namespace tune::cli
