#pragma once

#include <string>

namespace tune::doctor {

/// From what needs no look to what stops a run.
enum class Level {
  ok,
  unknown,  ///< this machine does not say
  note,     ///< worth knowing; measurements are right all the same
  warning,  ///< measurements scatter, drift, or are not this machine's best
  failure   ///< a run would end with an error
};

/// "ok", "unknown", "note", "warning", "failure".
const char* name(Level level);

/// One thing that was looked at.
struct Check {
  std::string id;     ///< "cpu-governor"; stable, scripts may rely on it
  std::string group;  ///< "processor", "load", "memory", "storage", "limits", "gpu", "installation"
  Level level = Level::ok;
  std::string found;   ///< what there is, as one line
  std::string why;     ///< what it does to measurements; "" when it is fine
  std::string advice;  ///< what to do about it; "" when there is nothing to do
};

}  // namespace tune::doctor
