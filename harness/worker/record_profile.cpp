#include "worker/record_profile.h"

#include "base/clock.h"
#include "base/units.h"
#include "worker/failure.h"
#include "worker/gpu_window.h"
#include "worker/recorder/operator_rows.h"
#include "worker/recorder/record_steps.h"
#include "worker/recorder/trace_file.h"
#include "worker/warm_up.h"

#include <ctime>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace tune::worker {

namespace {

// Unknown counts as enough: writing will fail if it is not.
std::int64_t free_bytes(const std::filesystem::path& folder) {
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  std::error_code failed;
  const auto space = std::filesystem::space(folder, failed);
  return failed || space.available > static_cast<std::uintmax_t>(kMost)
             ? kMost
             : static_cast<std::int64_t>(space.available);
}

// CLOCK_REALTIME minus CLOCK_MONOTONIC, from the closest of a few readings.
std::int64_t unix_offset_ns() {
  constexpr int kReadings = 8;
  std::int64_t offset_ns = 0, closest_ns = std::numeric_limits<std::int64_t>::max();
  for (int i = 0; i < kReadings; ++i) {
    timespec day{};
    const std::int64_t before_ns = monotonic_ns();
    clock_gettime(CLOCK_REALTIME, &day);
    const std::int64_t apart_ns = monotonic_ns() - before_ns;
    if (apart_ns < closest_ns) {
      closest_ns = apart_ns;
      const std::int64_t day_ns =
          static_cast<std::int64_t>(day.tv_sec) * 1'000'000'000 + day.tv_nsec;
      offset_ns = day_ns - before_ns - apart_ns / 2;
    }
  }
  return offset_ns;
}

/// The GPU while a window is recorded; nothing without a GPU, or when its rows are not requested.
class RecordedGpu {
 public:
  explicit RecordedGpu(RunningTrial& trial) : trial_(trial) {
    if (trial.gpu != nullptr && trial.spec.profile->cuda) {
      trace_.emplace(trial.gpu->trace());
    }
  }

  // Called when the first warm-up step begins: the profile's `wait` steps need not be recorded.
  void start() {
    if (trace_ && !is_started_) {
      is_started_ = true;
      trace_->start();
    }
  }

  // Unfinished work of a warm-up step must not run in the window.
  void begin_window() {
    if (trace_) {
      trace_->discard();
    }
    trial_.gpu->synchronize();
    trial_.step.clock().restart();
  }

  std::int64_t end_window() { return trial_.wait_for_gpu().total_ns(); }

  // The device is idle, and the window's clock is stopped.
  void after_window() {
    if (trace_) {
      trace_->decode();
    }
  }

  // A step that is not recorded while CUPTI is attached, between two cycles: its records would fill
  // the buffers.
  void forget_step() {
    constexpr std::int64_t kEvery = 50;
    if (trace_ && is_started_ && ++forgotten_ % kEvery == 0) {
      trace_->discard();
      trial_.step.clock().restart();
    }
  }

  std::optional<DeviceTraceResult> finish(const RecordedSteps& steps) {
    if (!trace_) {
      return std::nullopt;
    }
    auto found = trace_->finish(comparable_edges(steps));
    if (found && !steps.are_alike) {
      found->notes.emplace_back(
          "its steps were not compared: one of them ends an epoch, or its optimizer was skipped");
    }
    return found;
  }

  std::string reason() const { return trace_ ? trace_->reason() : ""; }

 private:
  RunningTrial& trial_;
  std::optional<GpuTrace> trace_;
  bool is_started_ = false;
  std::int64_t forgotten_ = 0;
};

// Not next_step(): the reply is written.
std::int64_t run_step(RunningTrial& trial) {
  trial.step.fetch();
  return trial.step.compute().phases.total_ns();
}

RecordedSteps run_steps(RunningTrial& trial,
                        const trial::Profile& profile,
                        Recording& recording,
                        RecordedGpu& gpu) {
  std::optional<OperatorRows> operators;
  bool listens = false;
  RecordedParts parts = {
      .step =
          [&] {
            const std::int64_t step_ns = run_step(trial);
            if (!listens) {
              gpu.forget_step();
            }
            return step_ns;
          },
      .listen =
          [&] {
            listens = true;
            gpu.start();
            if (profile.cpu) {
              operators.emplace(profile);
            }
            trial.step.clock().restart();
          },
      .ignore =
          [&] {
            listens = false;
            operators.reset();
            gpu.after_window();
          },
      .was_alike = [&] { return trial.step.is_last_alike(); },
  };
  if (trial.gpu != nullptr) {
    parts.warmed_up = [&] { gpu.begin_window(); };
    parts.finish = [&] { return gpu.end_window(); };
  }
  // The loader continued while the reply was written.
  settle_stock(trial, trial.reply.slices.back().stock_after, [&] { run_step(trial); });
  return record_steps(profile, recording, parts);
}

// CUPTI loads code and buffers during the first steps that it sees.
void warm_up_enough(trial::Profile& profile, bool has_gpu, trial::ProfileOutcome& outcome) {
  constexpr std::int64_t kLeast = 3;
  if (has_gpu && profile.cuda && profile.warmup < kLeast) {
    outcome.notes.push_back("profile.warmup: " + std::to_string(profile.warmup) +
                            " is too few with a GPU, 3 steps were run");
    profile.warmup = kLeast;
  }
}

struct Recorded {
  RecordedSteps steps;
  std::optional<DeviceTraceResult> device;
};

void add_notes(const DeviceTraceResult& device, trial::ProfileOutcome& outcome) {
  constexpr std::size_t kMost = 15;
  for (const std::string& note : device.notes) {
    if (outcome.notes.size() < kMost) {
      outcome.notes.push_back(note);
    }
  }
  if (device.clock != "monotonic") {
    outcome.notes.push_back("times of the GPU were converted from the clock " + device.clock);
  }
}

// The file, including the rows of the GPU, must not become larger than the profile allows.
std::optional<DeviceSide> join_within_limit(const RunningTrial& trial,
                                            const Recording& recording,
                                            const TraceRows& rows,
                                            Recorded& recorded,
                                            trial::ProfileOutcome& outcome) {
  if (!recorded.device) {
    return std::nullopt;
  }
  add_notes(*recorded.device, outcome);
  DeviceSide side = join_device(std::move(recorded.device->trace),
                                trial.gpu->facts(),
                                recording,
                                rows,
                                recorded.steps.windows);
  const std::int64_t limit_bytes = trial.spec.profile->limit_bytes;
  const std::int64_t bytes = recording.json_bytes_at_most() + side.json_bytes_at_most();
  if (bytes > limit_bytes) {
    std::string reason = "its rows would make the trace larger than ";
    reason += format_bytes(limit_bytes);
    reason += " (too_large)";
    outcome.refused.push_back({"cuda", std::move(reason)});
    return std::nullopt;
  }
  outcome.device_events = side.count();
  return side;
}

void write_trace(const RunningTrial& trial,
                 const Recording& recording,
                 Recorded recorded,
                 trial::ProfileOutcome& outcome) {
  RecordedSteps& steps = recorded.steps;
  const TraceRows rows = collect_rows(recording, steps.windows);
  const auto device = join_within_limit(trial, recording, rows, recorded, outcome);
  TraceFacts facts;
  facts.profile = *trial.spec.profile;
  facts.process = getpid();
  facts.origin_ns = steps.windows.front().start_ns;
  facts.origin_unix_ns = facts.origin_ns + unix_offset_ns();
  facts.end_ns = steps.windows.back().end_ns;
  facts.dtypes = dtype_names();
  facts.device = device ? &*device : nullptr;
  outcome.start_ns = facts.origin_ns;
  outcome.end_ns = facts.end_ns;
  outcome.step_ns = std::move(steps.step_ns);
  outcome.cap_reached = steps.cap_reached;
  outcome.events = static_cast<std::int64_t>(rows.rows.size());
  outcome.memory_events = static_cast<std::int64_t>(rows.memory.size());
  outcome.lost_events = recording.lost_events();
  outcome.lost_inputs = recording.lost_inputs();
  outcome.peak_bytes = peak_bytes(rows.memory, steps.windows);
  const TraceFileSize size = write_trace_file(
      std::filesystem::path(trial.spec.folder) / kTraceFile, recording, rows, facts);
  outcome.json_bytes = size.json_bytes;
  outcome.file_bytes = size.file_bytes;
  outcome.file = kTraceFile;
}

}  // namespace

Recording::Options recording_options(const trial::Profile& profile) {
  Recording::Options options;
  options.shapes = profile.record_shapes;
  options.flops = profile.with_flops;
  options.modules = profile.with_modules;
  options.limit_bytes = profile.limit_bytes;
  return options;
}

trial::ProfileOutcome record_profile(RunningTrial& trial, Recording& recording) {
  trial::ProfileOutcome outcome;
  try {
    trial::Profile profile = *trial.spec.profile;
    const bool has_gpu = trial.gpu != nullptr;
    warm_up_enough(profile, has_gpu, outcome);
    outcome.refused = refused_options(
        profile, {.has_gpu = has_gpu, .has_own_model = trial.spec.workload.own.exists()});
    outcome.reason = why_no_profile(profile, has_gpu, free_bytes(trial.spec.folder));
    if (outcome.reason.empty()) {
      RecordedGpu gpu(trial);
      Recorded recorded;
      recorded.steps = run_steps(trial, profile, recording, gpu);
      recorded.device = gpu.finish(recorded.steps);
      if (!gpu.reason().empty()) {
        outcome.refused.push_back({"cuda", gpu.reason()});
      }
      write_trace(trial, recording, std::move(recorded), outcome);
    }
  } catch (...) {
    const trial::Failure failure = describe_failure();
    outcome.reason = failure.kind == "refused" ? "" : failure.kind + ": ";
    outcome.reason += failure.message;
    outcome.file.clear();
  }
  return outcome;
}

}  // namespace tune::worker
