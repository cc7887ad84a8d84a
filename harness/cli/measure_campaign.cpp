#include "cli/measure_campaign.h"

#include "base/clock.h"
#include "base/error.h"
#include "cli/interruption.h"
#include "cli/live_page.h"
#include "cli/prepare_inputs.h"
#include "cli/run_display.h"
#include "cli/trial_machine.h"
#include "machine/machine_facts.h"
#include "machine/telemetry/recorder.h"
#include "measure/campaign/run_trials.h"
#include "measure/campaign/run_warnings.h"
#include "measure/runner/run_trial.h"

#include <csignal>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <memory>
#include <optional>
#include <unistd.h>
#include <utility>

namespace tune::cli {

namespace {

std::unique_ptr<RunDisplay> make_terminal_display(const RunRequest& request) {
  if (request.quiet) {
    return make_quiet_display();
  }
  const bool block = look_at(STDERR_FILENO, request.color).is_terminal && !request.plain_progress;
  return block ? make_status_block(request.color) : make_progress_lines();
}

std::unique_ptr<RunDisplay> make_display(const CampaignToMeasure& campaign) {
  std::unique_ptr<RunDisplay> display = make_terminal_display(campaign.request);
  if (campaign.live != nullptr) {
    display = make_live_display(std::move(display), *campaign.live);
  }
  return display;
}

struct Sitting {
  const CampaignToMeasure& campaign;
  const std::filesystem::path& worker;
  const Interruption& interruption;
  RunDisplay& display;
};

// Runs what is missing and notes why it ended. Returns that.
std::string sit(OpenRun& open, const Sitting& sitting) {
  runner::RunOptions options;
  options.worker = sitting.worker;
  options.stop = &sitting.interruption.level();
  options.on_phase = [&](const auto& arrival) { sitting.display.phase_began(arrival.phase); };
  options.on_tick = [&] { sitting.display.tick(); };
  telemetry::RecorderOptions recorded;
  if (const char* const visible = std::getenv("CUDA_VISIBLE_DEVICES")) {
    recorded.visible_devices = visible;
  }
  recorded.of_all_gpus = open.run.scenario.workload.script.exists();
  telemetry::Recorder recorder(std::move(recorded));
  options.telemetry = &recorder;

  const auto budget_ns = sitting.campaign.request.budget_ns;
  campaign::Sitting record;
  record.started_utc = sitting.campaign.utc;
  record.start_ns = sitting.campaign.start_ns;
  record.host = machine::host_name();
  record.budget_ns = budget_ns ? budget_ns : open.run.scenario.budget_ns;
  open.ledger.begin_sitting(record);
  const campaign::TrialLoop loop{.ledger = open.ledger,
                                 .watcher = sitting.display,
                                 .run_trial =
                                     [&](const auto& spec) {
                                       const auto& form = sitting.campaign.form;
                                       return runner::run_trial(form ? form(spec) : spec, options);
                                     },
                                 .now_ns = monotonic_ns,
                                 .stop = options.stop,
                                 .start_ns = record.start_ns,
                                 .budget_ns = record.budget_ns,
                                 .propose = sitting.campaign.propose,
                                 .make_form = sitting.campaign.make_form,
                                 .fail_fast = sitting.campaign.request.fail_fast,
                                 .frees_trials = sitting.campaign.live == nullptr};
  record.end_reason = campaign::run_trials(open.run, loop);
  record.end_ns = monotonic_ns();
  open.ledger.end_sitting(record);
  sitting.display.close();
  return record.end_reason;
}

struct SittingEnd {
  std::string reason;
  std::optional<ExitCode> failed;  ///< set when it ended by an error, which has been told
};

SittingEnd try_to_sit(OpenRun& open, const Sitting& sitting) {
  const auto stopped = [&](const char* why, const char* and_then) {
    sitting.display.close();
    std::cerr << "the run stopped: " << why << "\nwhat finished is saved; " << and_then
              << sitting.campaign.go_on << "\n";
  };
  try {
    return {sit(open, sitting), std::nullopt};
  } catch (const MachineError& error) {
    std::error_code ignored;
    if (std::filesystem::exists(campaign::ledger_file(open.run.directory), ignored)) {
      stopped(error.what(), "when that is mended, continue with: ");
    } else {
      sitting.display.close();
      std::cerr << "the run stopped: " << error.what() << "\n";
    }
    return {"", ExitCode::not_available};
  } catch (const Error& error) {
    stopped(error.what(), "when that is mended, continue with: ");
    return {"", ExitCode::partial};
  } catch (const std::exception& error) {
    stopped((std::string("our bug: ") + error.what()).c_str(), "continue with: ");
    return {"", ExitCode::our_bug};
  }
}

// The run outlives what the page asks for: that ends with end_live_page(), or with its trials.
void fill_live_page(const CampaignToMeasure& campaign, const campaign::RecordedRun& run) {
  if (campaign.live != nullptr) {
    campaign.live->fill_with([&campaign, &run] {
      return live_report(run,
                         {.started_utc = campaign.utc, .start_ns = campaign.start_ns},
                         campaign.request.rules);
    });
  }
}

std::string end_words(const SittingEnd& end) {
  if (end.failed) {
    return "The run stopped: its terminal says why. What finished is saved.";
  }
  return end.reason == "interrupted"       ? "Interrupted; what finished is saved."
         : end.reason == "budget"          ? "The budget is used up."
         : end.reason == "trial-failed"    ? "A trial failed, which ends the run (--fail-fast)."
         : end.reason == "baseline-failed" ? "The baseline failed."
                                           : "The run has ended.";
}

void end_live_page(const CampaignToMeasure& campaign,
                   const SittingEnd& end,
                   const OpenRun& open,
                   const Interruption& interruption) {
  if (campaign.live != nullptr) {
    campaign.live->end(end_words(end), open.run.directory / "report.html", interruption.level());
  }
}

void say_notes(const OpenRun& open, RunDisplay& display) {
  for (const std::string& damage : campaign::damage_warnings(open.run)) {
    display.say("warning: " + damage);
  }
  for (const auto& notes : {open.run.plan.notes, open.run.scenario.notes}) {
    for (const std::string& note : notes) {
      display.say("note: " + note);
    }
  }
}

}  // namespace

ExitCode measure_campaign(const CampaignToMeasure& campaign) {
  std::signal(SIGPIPE, SIG_IGN);  // whoever read the progress may go away; the run continues
  const std::filesystem::path& worker = campaign.worker;
  const Interruption interruption;
  const auto display = make_display(campaign);
  const RunInput input{campaign.request, worker, campaign.utc, [&](const std::string& what) {
                         if (interruption.asked()) {
                           throw PreparationInterrupted();
                         }
                         display->show_preparation(what);
                       }};
  try {
    OpenRun open = campaign.open(input);
    display->say(campaign.greeting(open));
    say_notes(open, *display);
    fill_live_page(campaign, open.run);
    const SittingEnd end = try_to_sit(open, {campaign, worker, interruption, *display});
    if (end.failed) {
      end_live_page(campaign, end, open, interruption);
      return *end.failed;
    }
    if (end.reason == "interrupted") {  // also where standard output is a file
      std::cerr << "interrupted; what finished is saved. Go on with: " << campaign.go_on << "\n";
    }
    if (end.reason == "trial-failed") {
      std::cerr << "a trial failed, which ends the run (--fail-fast). Go on with: "
                << campaign.go_on << "\n";
    }
    if (campaign.live == nullptr) {
      open.run.trials = {};  // the report reads them again
    }
    const ExitCode code = campaign.present();
    end_live_page(campaign, end, open, interruption);
    return end.reason == "interrupted" ? interruption.exit_code() : code;
  } catch (const PreparationInterrupted&) {
    display->close();
    std::cerr << "interrupted while the data were made; nothing was run\n";
    return interruption.exit_code();
  }
}

}  // namespace tune::cli
