#pragma once

#include "worker/recorder/recording.h"

#include <string_view>

namespace tune::worker {

/// Names this thread's work until the end of the scope: a row of the trace when steps are recorded,
/// else nothing.
class Range {
 public:
  explicit Range(std::string_view name) : Range(Recording::active(), name, EventKind::annotation) {}
  ~Range() {
    if (log_ != nullptr) {
      log_->end();
    }
  }
  Range(const Range&) = delete;
  Range& operator=(const Range&) = delete;

 protected:
  Range(Recording* recording, std::string_view name, EventKind kind)
      : log_(recording != nullptr ? recording->log_of_this_thread() : nullptr) {
    if (log_ != nullptr) {
      EventStart start;
      start.kind = kind;
      start.name = log_->name(name).id;
      log_->begin(start);
    }
  }

 private:
  ThreadLog* const log_;
};

/// A part of a model (with_modules). Nested ranges become one path: "block0.conv1".
class ModuleRange : public Range {
 public:
  explicit ModuleRange(std::string_view name)
      : Range(recording_of_modules(), name, EventKind::module) {}

 private:
  static Recording* recording_of_modules() {
    Recording* const recording = Recording::active();
    return recording != nullptr && recording->options().modules ? recording : nullptr;
  }
};

}  // namespace tune::worker
