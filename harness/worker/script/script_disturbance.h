#pragma once

#include "machine/cpu_usage.h"
#include "machine/pressure.h"
#include "machine/process_usage.h"
#include "trial/trial_reply.h"

#include <cstdint>
#include <optional>

namespace tune::script {

/// What happened on the CPUs beside a script, read from outside of its process. CPU time of
/// loaders' workers is not the process's own, and counts as that of others.
class ScriptDisturbance {
 public:
  explicit ScriptDisturbance(std::int64_t process);

  /// Since the last call, or since it was made.
  trial::Disturbance read();

 private:
  machine::ForeignProcessReader process_;
  machine::PressureReader pressure_;
  machine::ForeignUsage process_before_;
  machine::Pressure pressure_before_;
};

}  // namespace tune::script
