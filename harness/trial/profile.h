#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tune {
class Fields;
}

namespace tune::trial {

/// What is recorded after the measured window, in torch.profiler's words. One cycle is `wait` steps
/// that nobody records, `warmup` steps that are recorded and forgotten, and `active` steps that are
/// kept; all cycles go into one file.
struct Profile {
  /// activities. `cuda` is wanted where somebody asks for it, or where the trial has a GPU.
  bool cpu = true, cuda = true;
  std::int64_t wait = 0, warmup = 3, active = 5, repeat = 1;
  bool record_shapes = false;
  bool profile_memory = true;
  bool with_stack = false;
  bool with_flops = false;  ///< inputs of the operators whose floating-point operations are counted
  bool with_modules = false;
  /// Of the trace before it is compressed. Recording ends with the step that reaches it, by an
  /// estimate that is not exceeded.
  std::int64_t limit_bytes = std::int64_t{512} << 20;
  bool operator==(const Profile&) const = default;
};

void fields_of(Fields& fields, Profile& profile);

/// Something of a Profile that could not be had; the rest was recorded.
struct RefusedOption {
  std::string option;  ///< "with_stack", "cuda"
  std::string reason;
  bool operator==(const RefusedOption&) const = default;
};

/// The reason of a reply that was written before the window, and stays when the worker dies in it.
constexpr const char* kUnfinishedProfile = "the worker ended in its profiled window";

/// What became of the profiled window. The steps in it are no measurement: they say how much
/// recording has stretched them.
struct ProfileOutcome {
  std::string reason;  ///< why there is no trace; "" when there is one
  std::vector<RefusedOption> refused;
  std::int64_t start_ns = 0, end_ns = 0;  ///< first recorded step to the last, CLOCK_MONOTONIC
  std::vector<std::int64_t> step_ns;      ///< of the recorded steps
  std::int64_t events = 0;                ///< rows of operators, ranges and loader stages
  std::int64_t memory_events = 0;         ///< allocations and frees
  std::int64_t lost_events = 0;           ///< of both kinds: there was no room for them
  std::int64_t lost_inputs = 0;           ///< events without the shapes that were asked for
  /// The most that was allocated at once in the recorded steps beyond what there was before.
  std::int64_t peak_bytes = 0;
  bool cap_reached = false;        ///< limit_bytes ended the window before all steps were recorded
  std::string file;                ///< in the trial's folder
  std::int64_t file_bytes = 0;     ///< as stored
  std::int64_t json_bytes = 0;     ///< before it was compressed
  std::int64_t device_events = 0;  ///< rows of the GPU and of calls that launched them
  std::vector<std::string> notes;  ///< what was recorded in another way than asked
  bool operator==(const ProfileOutcome&) const = default;
};

void fields_of(Fields& fields, ProfileOutcome& outcome);

}  // namespace tune::trial
