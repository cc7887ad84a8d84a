#pragma once

#include "trial/trial_reply.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace tune::trial {

/// A phase of a step: its word in files, in sentences, and where its time stands.
struct StepPhase {
  std::string_view id, label;
  std::int64_t PhaseSums::*ns;
};

/// All of them in the order of a step; together they are the step.
inline constexpr std::array<StepPhase, 6> kStepPhases = {
    {{"data_wait", "waiting for data", &PhaseSums::data_wait_ns},
     {"transfer", "transfer and layout", &PhaseSums::transfer_ns},
     {"forward", "forward", &PhaseSums::forward_ns},
     {"backward", "backward", &PhaseSums::backward_ns},
     {"optimizer", "optimizer", &PhaseSums::optimizer_ns},
     {"other", "other", &PhaseSums::other_ns}}};

}  // namespace tune::trial
