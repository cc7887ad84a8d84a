#include "cli/gate_sitting.h"

#include "base/clock.h"
#include "base/units.h"
#include "cli/machine_lock.h"
#include "cli/open_run.h"
#include "cli/prepare_inputs.h"
#include "cli/run_display.h"
#include "cli/trial_machine.h"
#include "measure/gate/gate_ledger.h"
#include "measure/runner/run_trial.h"
#include "report/number_text.h"
#include "scenario/machine.h"

#include <csignal>
#include <iostream>

namespace tune::cli {

namespace {

constexpr std::int64_t kHeartbeatNs = 10'000'000'000;

std::string place_of(const gate::Standpoint& standpoint) {
  return (standpoint.pair == 0 ? "[besides the pairs] "
                               : "[pair " + std::to_string(standpoint.pair) + "/" +
                                     std::to_string(standpoint.next_look) + "] ") +
         standpoint.side +
         (standpoint.attempt > 1 ? " again (" + std::to_string(standpoint.attempt) + ")" : "");
}

std::string left_of(const gate::Standpoint& standpoint) {
  return standpoint.pair == 0
             ? ""
             : " (about " + format_time(standpoint.remaining_ns) + " to the look at " +
                   std::to_string(standpoint.next_look) + " pairs)";
}

class Lines : public GateDisplay {
 public:
  void process_begins(const gate::Standpoint& standpoint) override {
    standpoint_ = standpoint;
    phase_ = "start";
    start_ns_ = monotonic_ns();
  }

  void process_ended(const gate::Standpoint& standpoint,
                     const campaign::TrialRecord& record,
                     const gate::ProcessSummary* summary) override {
    std::string line = place_of(standpoint) + ": " + outcome_words(record);
    if (summary != nullptr && summary->slices.tainted > 0) {
      line += ", " + std::to_string(summary->slices.tainted) + " of " +
              std::to_string(summary->slices.all()) +
              " slices disturbed: " + summary->taints.front();
    }
    print(line + left_of(standpoint));
    if (summary != nullptr && summary->lost_too_many && !is_busy_told_) {
      is_busy_told_ = true;
      print(
          "the machine is busy: time may not be judged (--wait waits for quiet; --metrics cpu_time "
          "judges what needs none)");
    }
    if (summary == nullptr) {
      std::cerr << last_output(record) << std::flush;
    }
  }

  void looked(const gate::LookRecord& look) override {
    std::string line =
        "look " + std::to_string(look.index + 1) + " at " + std::to_string(look.pairs) + " pairs:";
    for (const gate::Row& row : look.rows) {
      line += (&row == look.rows.data() ? " " : ", ") + row.metric + " " +
              report::gain_text(row.delta.value) + " " + gate::verdict_word(row.verdict);
    }
    print(line);
  }

  void phase_began(const std::string& phase) override { phase_ = phase; }

  void tick() override {
    const std::int64_t now_ns = monotonic_ns();
    if (now_ns - last_line_ns_ >= kHeartbeatNs) {
      print(place_of(standpoint_) + ": " + phase_ + ", " + format_time(now_ns - start_ns_) +
            left_of(standpoint_));
    }
  }

  void say(const std::string& line) override { print(line); }

  void show_preparation(const std::string& what) override {
    const std::int64_t now_ns = monotonic_ns();
    if (last_line_ns_ == 0 || now_ns - last_line_ns_ >= kHeartbeatNs) {
      print(what);
    }
  }

 private:
  void print(const std::string& line) {
    std::cerr << line << "\n" << std::flush;
    last_line_ns_ = monotonic_ns();
  }

  gate::Standpoint standpoint_;
  std::string phase_;
  std::int64_t start_ns_ = 0, last_line_ns_ = 0;
  bool is_busy_told_ = false;
};

class Quiet : public GateDisplay {
 public:
  void process_begins(const gate::Standpoint& /*standpoint*/) override {}
  void process_ended(const gate::Standpoint& standpoint,
                     const campaign::TrialRecord& record,
                     const gate::ProcessSummary* summary) override {
    if (summary == nullptr) {
      std::cerr << place_of(standpoint) << ": " << outcome_words(record) << "\n"
                << last_output(record) << std::flush;
    }
  }
  void looked(const gate::LookRecord& /*look*/) override {}
  void phase_began(const std::string& /*phase*/) override {}
  void tick() override {}
  void say(const std::string& /*line*/) override {}
  void show_preparation(const std::string& /*what*/) override {}
};

}  // namespace

std::unique_ptr<GateDisplay> make_gate_display() {
  return std::make_unique<Lines>();
}

std::unique_ptr<GateDisplay> make_quiet_gate_display() {
  return std::make_unique<Quiet>();
}

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
      worker_(find_worker_program(record.run.scenario.workload)),
      display_(request.quiet ? make_quiet_gate_display() : make_gate_display()) {
  std::signal(SIGPIPE, SIG_IGN);  // whoever read the progress may go away; the gate continues
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
