#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tune {
class Fields;
}

namespace tune::trial {

/// What is recorded after the measured window, in torch.profiler's terms. One cycle is `wait` steps
/// that are not recorded, `warmup` steps that are recorded and discarded, and `active` steps that
/// are kept; all cycles go into one file.
struct Profile {
  /// activities. `cuda` is recorded on request, or when the trial has a GPU.
  bool cpu = true, cuda = true;
  std::int64_t wait = 0, warmup = 3, active = 5, repeat = 1;
  bool record_shapes = false;
  bool profile_memory = true;
  bool with_stack = false;
  bool with_flops =
      false;  ///< record the inputs of operators whose floating-point operations are counted
  bool with_modules = false;
  /// Size of the trace before compression. Recording ends with the step that reaches it, by an
  /// estimate that the real size does not exceed.
  std::int64_t limit_bytes = std::int64_t{512} << 20;
  bool operator==(const Profile&) const = default;
};

void fields_of(Fields& fields, Profile& profile);

/// A part of a Profile that was not available; the rest was recorded.
struct RefusedOption {
  std::string option;  ///< "with_stack", "cuda"
  std::string reason;
  bool operator==(const RefusedOption&) const = default;
};

/// The reason in a reply that was written before the window; it remains when the worker dies in the
/// window.
constexpr const char* kUnfinishedProfile = "the worker ended in its profiled window";

/// The outcome of the profiled window. Its steps are not a measurement: they show how much
/// recording slowed them down.
struct ProfileOutcome {
  std::string reason;  ///< why there is no trace; "" when there is one
  std::vector<RefusedOption> refused;
  std::int64_t start_ns = 0, end_ns = 0;  ///< first recorded step to the last, CLOCK_MONOTONIC
  std::vector<std::int64_t> step_ns;      ///< of the recorded steps
  std::int64_t events = 0;                ///< rows of operators, ranges and loader stages
  std::int64_t memory_events = 0;         ///< allocations and frees
  std::int64_t lost_events = 0;           ///< of both kinds: there was no room for them
  std::int64_t lost_inputs = 0;           ///< events without the requested shapes
  /// The peak of memory allocated in the recorded steps, on top of what was allocated before.
  std::int64_t peak_bytes = 0;
  bool cap_reached = false;        ///< limit_bytes ended the window before all steps were recorded
  std::string file;                ///< in the trial's folder
  std::int64_t file_bytes = 0;     ///< as stored
  std::int64_t json_bytes = 0;     ///< before it was compressed
  std::int64_t device_events = 0;  ///< rows of the GPU and of the calls that launched them
  std::vector<std::string> notes;  ///< what was recorded differently than requested
  bool operator==(const ProfileOutcome&) const = default;
};

void fields_of(Fields& fields, ProfileOutcome& outcome);

}  // namespace tune::trial
