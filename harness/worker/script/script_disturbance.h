#pragma once

#include "machine/instruction_counter.h"
#include "machine/pressure.h"
#include "machine/process_usage.h"
#include "trial/trial_reply.h"

#include <cstdint>
#include <optional>

namespace tune::script {

/// What happened to a script, read from outside of its process; its loader's workers are not
/// counted.
class ScriptDisturbance {
 public:
  ScriptDisturbance(std::int64_t process, bool counts_instructions);

  /// Since the last call, or since it was made.
  trial::Disturbance read();

 private:
  machine::ForeignProcessReader process_;
  machine::PressureReader pressure_;
  machine::ForeignUsage process_before_;
  machine::Pressure pressure_before_;
  std::optional<machine::InstructionCounter> instructions_;
  std::optional<std::int64_t> instructions_before_;
};

}  // namespace tune::script
