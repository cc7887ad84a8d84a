#include "cli/gate_sitting.h"

#include "base/clock.h"
#include "cli/machine_lock.h"
#include "cli/open_run.h"
#include "cli/prepare_data.h"
#include "cli/run_request.h"
#include "cli/worker_program.h"
#include "gate/gate_ledger.h"
#include "runner/run_trial.h"
#include "scenario/machine.h"

#include <csignal>
#include <iostream>

namespace tune::cli {

void name_run(gate::GateResult& record, const GateRequest& request, const std::string& suffix) {
  record.run.started_utc = utc_now();
  RunRequest place;
  place.output = request.output;
  record.run.directory =
      choose_run_directory(place, record.run.scenario.name + suffix, record.run.started_utc);
}

GateSitting::GateSitting(gate::GateResult& record, const GateRequest& request)
    : record_(record),
      request_(request),
      start_ns_(monotonic_ns()),
      worker_(find_worker_program()),
      display_(request.quiet ? make_quiet_gate_display() : make_gate_display()) {
  std::signal(SIGPIPE, SIG_IGN);  // whoever read the progress may go away; the gate goes on
}

void GateSitting::begin_clock() {
  start_ns_ = monotonic_ns();
}

bool GateSitting::prepare(const GateSources& sources) {
  try {
    prepare_gate(record_, request_, sources, worker_, [&](const std::string& what) {
      if (interruption_.asked()) {
        throw PreparationInterrupted();
      }
      display_->show_preparation(what);
    });
    return true;
  } catch (const PreparationInterrupted&) {
    std::cerr << "interrupted while the data were made; nothing was run\n";
    return false;
  }
}

void GateSitting::measure(const GateSources& sources,
                          const std::string& greeting,
                          const std::function<void(const gate::GateLoop&)>& measure) {
  make_run_directory(record_.run.directory);
  lock_.emplace(lock_directory(record_.run.directory));
  display_->say(record_.run.scenario.name + ": " + greeting + ", run directory " +
                record_.run.directory.string());
  if (const std::string lost = scenario::lost_gpu_text(record_.run.machine); !lost.empty()) {
    display_->say("note: " + lost);
  }
  for (const std::string& note : record_.run.scenario.notes) {
    display_->say("note: " + note);
  }
  gate::GateLedger ledger(record_.run.directory, record_);
  runner::RunOptions options;
  options.worker = worker_;
  options.stop = &interruption_.level();
  options.on_phase = [&](const auto& arrival) { display_->phase_began(arrival.phase); };
  options.on_tick = [&] { display_->tick(); };
  measure({.ledger = ledger,
           .watcher = *display_,
           .run_trial =
               [&](const auto& spec) {
                 if (sources.enter) {
                   sources.enter(spec.cell);
                 }
                 return runner::run_trial(spec, options);
               },
           .now_ns = monotonic_ns,
           .utc = utc_now,
           .stop = options.stop,
           .start_ns = start_ns_});
}

}  // namespace tune::cli
