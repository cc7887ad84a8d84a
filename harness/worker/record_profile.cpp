#include "worker/record_profile.h"

#include "base/monotonic_clock.h"
#include "worker/failure.h"
#include "worker/recorder/input_capture.h"
#include "worker/recorder/operator_rows.h"
#include "worker/recorder/profile_limits.h"
#include "worker/recorder/record_steps.h"
#include "worker/recorder/trace_file.h"
#include "worker/warm_up.h"

#include <ctime>
#include <filesystem>
#include <limits>
#include <optional>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace tune::worker {

namespace {

// Unknown is enough: writing will tell.
std::int64_t free_bytes(const std::filesystem::path& folder) {
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  std::error_code failed;
  const auto space = std::filesystem::space(folder, failed);
  return failed || space.available > static_cast<std::uintmax_t>(kMost)
             ? kMost
             : static_cast<std::int64_t>(space.available);
}

// Time of day less CLOCK_MONOTONIC, by the closest of a few readings.
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

// Not next_step(): the reply is written.
std::int64_t run_step(RunningTrial& trial) {
  trial.step.fetch();
  return trial.step.compute().phases.total_ns();
}

RecordedSteps run_steps(RunningTrial& trial, Recording& recording) {
  const trial::Profile& profile = *trial.spec.profile;
  std::optional<OperatorRows> operators;
  const RecordedParts parts = {
      .step = [&] { return run_step(trial); },
      .listen =
          [&] {
            operators.emplace(profile);
            trial.step.clock().restart();
          },
      .ignore = [&] { operators.reset(); },
  };
  // The loader went on while the reply was written.
  settle_stock(trial, trial.reply.slices.back().stock_after, [&] { run_step(trial); });
  return record_steps(profile, recording, parts);
}

void write_trace(const RunningTrial& trial,
                 const Recording& recording,
                 RecordedSteps steps,
                 trial::ProfileOutcome& outcome) {
  const TraceRows rows = collect_rows(recording, steps.windows);
  TraceFacts facts;
  facts.profile = *trial.spec.profile;
  facts.process = getpid();
  facts.origin_ns = steps.windows.front().start_ns;
  facts.origin_unix_ns = facts.origin_ns + unix_offset_ns();
  facts.end_ns = steps.windows.back().end_ns;
  facts.dtypes = dtype_names();
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
    const trial::Profile& profile = *trial.spec.profile;
    outcome.refused = refused_options(profile);
    outcome.reason = why_no_profile(profile, free_bytes(trial.spec.folder));
    if (outcome.reason.empty()) {
      write_trace(trial, recording, run_steps(trial, recording), outcome);
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
