#pragma once

#include "trial/trial_reply.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace tune::worker {

/// Makes this process die with its parent, be the first that the kernel kills when memory runs out,
/// and survive a parent that has stopped reading.
void become_a_good_child();

/// Tells the orchestrator which phase has begun (trial/worker_lines.h) and records it for the
/// reply.
class PhaseLines {
 public:
  /// Must be created before anything opens a file: a descriptor that is closed now is not ours
  /// later.
  PhaseLines();

  /// Ends the previous phase, unless it is the same.
  void begin(std::string_view name);

  /// The same for a phase that began at `moment_ns` (CLOCK_MONOTONIC): not before the previous
  /// phase began, and not later than now.
  void begin_at(std::string_view name, std::int64_t moment_ns);

  /// The phases so far; the last one ends now.
  std::vector<trial::PhaseSpan> spans() const;

 private:
  bool is_open_;
  std::vector<trial::PhaseSpan> spans_;
};

}  // namespace tune::worker
