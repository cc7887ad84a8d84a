#pragma once

#include "worker/recorder/recording.h"
#include "worker/recorder/trace_rows.h"

#include <limits>
#include <string>
#include <vector>

namespace tune::worker {

/// A recording of this thread with hand-written events.
class SampleRecording {
 public:
  explicit SampleRecording(const Recording::Options& options = {})
      : recording(options), log(*recording.log_of_this_thread()) {}

  std::uint32_t name(const std::string& text) { return log.name(text).id; }

  /// Nested calls that begin now and end with the scope.
  EventStart start(const std::string& text, EventKind kind = EventKind::op) {
    EventStart start;
    start.kind = kind;
    start.name = name(text);
    return start;
  }

  Recording recording;
  ThreadLog& log;
};

inline std::vector<TraceWindow> everything() {
  return {{0, std::numeric_limits<std::int64_t>::max()}};
}

}  // namespace tune::worker
