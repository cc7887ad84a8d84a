#include "measure/runner/run_trial.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/units.h"
#include "machine/container.h"
#include "machine/preloaded_library.h"
#include "machine/telemetry/telemetry_json.h"
#include "machine/worker_torch.h"
#include "measure/runner/environment.h"
#include "measure/runner/output_log.h"
#include "measure/runner/phases.h"
#include "measure/runner/trial_outcome.h"
#include "measure/runner/worker_process.h"
#include "trial/environment_knob.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <limits>
#include <memory>
#include <optional>
#include <poll.h>
#include <unistd.h>

namespace tune::runner {

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
constexpr std::string_view kMeasurePhase = "measure", kWritePhase = "write";  // worker_lines.h

// The environment of the user's own script is part of what is measured.
WorkerEnvironment environment_of(const trial::TrialSpec& spec, const RunOptions& options) {
  if (spec.workload.script.exists()) {
    return {user_environment({}, {"TUNE_PARENT=" + std::to_string(getpid())}), {}};
  }
  WorkerEnvironment environment = worker_environment(
      environ, machine::torch_of_worker(fs::absolute(options.worker)).library_folders);
  set_variables(machine::with_preloaded_library(trial::variables_of(spec.knobs)),
                environment.variables);
  return environment;
}

// One running trial: what the worker says is taken in, and it is ended when its time is over.
class Watch {
 public:
  Watch(const trial::TrialSpec& spec, const RunOptions& options, TrialOutcome& outcome)
      : options_(options),
        outcome_(outcome),
        log_(fs::path(spec.folder) / "stderr.log", options.output_limit_bytes),
        oom_kills_(machine::read_oom_kills("/")),
        start_ns_(monotonic_ns()),
        environment_(environment_of(spec, options)),
        worker_(fs::absolute(options.worker),
                fs::path(spec.folder) / "spec.json",
                environment_.variables),
        limits_ns_(options.phase_limits_ns),
        folder_(spec.folder) {
    outcome_.start_ns = start_ns_;
    outcome_.removed_variables = environment_.removed;
    timeout_ns_ = spec.timeout_ns;
    deadline_ns_ = outcome_.start_ns + timeout_ns_;
    limits_ns_.merge(phase_limits(spec));
    limit_phase(kStartPhase, start_ns_);
    if (options.telemetry != nullptr) {
      recording_ = options.telemetry->begin(worker_.id(), trial::rank_count(spec));
    }
    next_tick_ns_ = outcome_.start_ns + options_.tick_ns;
  }

  Evidence run_to_end() {
    while (!worker_.ended()) {
      wait();
      take_in();
      const std::int64_t now_ns = monotonic_ns();
      heed_stop(now_ns);
      heed_deadlines(now_ns);
      if (now_ns >= next_tick_ns_) {
        next_tick_ns_ = now_ns + options_.tick_ns;
        if (options_.on_tick) {
          options_.on_tick();
        }
      }
    }
    keep_telemetry();
    evidence_.end = worker_.reap();
    take_in();  // all that it wrote is in the pipes by now
    outcome_.end_ns = monotonic_ns();
    log_.finish();
    evidence_.phase = lines_.phase();
    evidence_.phase_problem = lines_.problem();
    evidence_.stop_asked = stop_level() != 0;
    evidence_.wanted_memory = log_.wanted_memory();
    const auto oom_kills = machine::read_oom_kills("/");
    evidence_.kernel_killed = oom_kills && oom_kills_ && *oom_kills > *oom_kills_;
    outcome_.phase = evidence_.phase;
    outcome_.stderr_tail = log_.tail();
    return evidence_;
  }

 private:
  // Sleeps until there is something to do.
  void wait() {
    std::int64_t until_ns = std::min(
        {deadline_ns_, phase_deadline_ns_, kill_at_ns_, options_.on_tick ? next_tick_ns_ : kNever});
    const std::int64_t now_ns = monotonic_ns();
    if (options_.stop != nullptr) {
      constexpr std::int64_t kStopLatencyNs = 100'000'000;
      until_ns = std::min(until_ns, now_ns + kStopLatencyNs);
    }
    if (worker_.ended_descriptor() < 0) {
      constexpr std::int64_t kEndLatencyNs = 10'000'000;  // a kernel that cannot wake us
      until_ns = std::min(until_ns, now_ns + kEndLatencyNs);
    }
    const std::int64_t rest_ns = std::max<std::int64_t>(0, until_ns - now_ns);
    const timespec rest = {rest_ns / 1'000'000'000, rest_ns % 1'000'000'000};
    std::array<pollfd, 3> sources = {{{worker_.ended_descriptor(), POLLIN, 0},
                                      {worker_.output(), POLLIN, 0},
                                      {worker_.phases(), POLLIN, 0}}};
    ppoll(sources.data(), sources.size(), &rest, nullptr);  // interrupted: look around as well
  }

  // Reads what is there. Returns false at the end of the stream.
  template <class Take>
  static bool drain(int descriptor, Take take) {
    std::array<char, 65'536> block{};
    constexpr int kBlocks = 16;  // a worker that never stops printing must not keep us here
    for (int i = 0; i < kBlocks; ++i) {
      const ssize_t got = read(descriptor, block.data(), block.size());
      if (got > 0) {
        take(std::string_view(block.data(), static_cast<std::size_t>(got)));
      } else if (got == 0) {
        return false;
      } else if (errno != EINTR) {
        return errno == EAGAIN;
      }
    }
    return true;
  }

  void take_in() {
    const bool more_phases = worker_.phases() < 0 || drain(worker_.phases(), [&](auto text) {
                               const std::int64_t now_ns = monotonic_ns();
                               for (PhaseArrival& arrival : lines_.add(text, now_ns)) {
                                 begin_phase(std::move(arrival));
                               }
                             });
    if (!more_phases) {
      worker_.close_phases();
    }
    if (worker_.output() >= 0 && !drain(worker_.output(), [&](auto text) { log_.add(text); })) {
      worker_.close_output();
    }
  }

  void begin_phase(PhaseArrival arrival) {
    if (kill_at_ns_ == kNever) {  // its end is not up to the phases any more otherwise
      limit_phase(arrival.phase, arrival.seen_ns);
    }
    if (recording_ && (arrival.phase == kMeasurePhase || arrival.phase == kWritePhase)) {
      recording_->mark_edge();
    }
    outcome_.arrivals.push_back(std::move(arrival));
    if (options_.on_phase) {
      options_.on_phase(outcome_.arrivals.back());
    }
  }

  // By the worker's own times of its phases, which are of the same clock.
  void keep_telemetry() {
    if (!recording_) {
      return;
    }
    const telemetry::Span whole{start_ns_, monotonic_ns()};
    std::optional<telemetry::Span> window;
    for (const PhaseArrival& arrival : outcome_.arrivals) {
      const std::int64_t at_ns = std::clamp(arrival.worker_ns, whole.begin_ns, whole.end_ns);
      if (arrival.phase == kMeasurePhase) {
        window = {at_ns, whole.end_ns};
      } else if (arrival.phase == kWritePhase && window) {
        window->end_ns = at_ns;
      }
    }
    const telemetry::TrialTelemetry seen = recording_->end(whole, window);
    outcome_.device_joules = device_joules(seen);
    telemetry::keep(seen, folder_);
    recording_.reset();
  }

  void limit_phase(std::string_view phase, std::int64_t begin_ns) {
    const auto limit = limits_ns_.find(phase);
    phase_limit_ns_ = limit == limits_ns_.end() ? 0 : limit->second;
    phase_deadline_ns_ = limit == limits_ns_.end() ? kNever : begin_ns + limit->second;
  }

  int stop_level() const { return options_.stop == nullptr ? 0 : options_.stop->load(); }

  void heed_stop(std::int64_t now_ns) {
    const int stop = stop_level();
    if (stop == 0) {
      return;
    }
    if (kill_at_ns_ == kNever) {
      evidence_.interrupted = "stopped" + place();
      end_kindly(now_ns);
    }
    if (stop >= 2) {
      kill_at_ns_ = std::min(kill_at_ns_, now_ns);
    }
  }

  void heed_deadlines(std::int64_t now_ns) {
    if (kill_at_ns_ == kNever && (now_ns >= deadline_ns_ || now_ns >= phase_deadline_ns_)) {
      const bool whole = now_ns >= deadline_ns_;
      evidence_.timed_out =
          whole ? "no reply after " + format_time(timeout_ns_) + place() : late_in_phase();
      end_kindly(now_ns);
    }
    if (now_ns >= kill_at_ns_) {
      worker_.signal_group(SIGKILL);
      constexpr std::int64_t kAgainNs = 100'000'000;  // for a group that forks while it dies
      kill_at_ns_ = now_ns + kAgainNs;
    }
  }

  std::string place() const {
    return lines_.phase().empty() ? " before its first phase" : " in phase " + lines_.phase();
  }

  std::string late_in_phase() const {
    const std::string limit = format_time(phase_limit_ns_);
    return lines_.phase().empty() ? "it began no phase within " + limit
                                  : "phase " + lines_.phase() + " lasted more than " + limit;
  }

  void end_kindly(std::int64_t now_ns) {
    worker_.signal_group(SIGTERM);
    worker_.signal_group(SIGCONT);  // a stopped process would not see it
    kill_at_ns_ = now_ns + options_.grace_ns;
    deadline_ns_ = kNever;
    phase_deadline_ns_ = kNever;
  }

  const RunOptions& options_;
  TrialOutcome& outcome_;
  OutputLog log_;
  std::optional<std::int64_t> oom_kills_;
  std::int64_t start_ns_;  // right before the worker
  WorkerEnvironment environment_;
  WorkerProcess worker_;
  PhaseLimits limits_ns_;
  PhaseLines lines_;
  Evidence evidence_;
  std::filesystem::path folder_;
  std::unique_ptr<telemetry::Recording> recording_;
  std::int64_t timeout_ns_ = 0, deadline_ns_ = kNever, next_tick_ns_ = kNever;
  std::int64_t phase_limit_ns_ = 0, phase_deadline_ns_ = kNever;
  std::int64_t kill_at_ns_ = kNever;  // set: the worker is being ended
};

// An earlier try at this trial may have left its reply.
void prepare_folder(const trial::TrialSpec& spec) {
  const fs::path folder = spec.folder;
  std::error_code problem;
  fs::create_directories(folder, problem);
  if (!problem) {
    fs::remove(folder / "reply.json", problem);
  }
  if (!problem) {
    fs::remove(folder / telemetry::kTelemetryFile, problem);
  }
  if (problem) {
    throw_failed_call(folder, "cannot be prepared for a trial", problem.value());
  }
  write_file_synced(folder / "spec.json", trial::to_json(spec));
}

}  // namespace

TrialOutcome run_trial(const trial::TrialSpec& spec, const RunOptions& options) {
  TrialOutcome outcome;
  prepare_folder(spec);
  if (options.stop != nullptr && options.stop->load() != 0) {
    outcome.kind = OutcomeKind::interrupted;
    outcome.reason = "stopped before it began";
    outcome.start_ns = outcome.end_ns = monotonic_ns();
    return outcome;
  }
  Watch watch(spec, options, outcome);
  classify(spec, watch.run_to_end(), outcome);
  return outcome;
}

}  // namespace tune::runner
