#pragma once

#include "trial/trial_reply.h"

namespace tune::worker {

/// The exception that is being handled, as the reply says it. To be called inside a catch block.
trial::Failure describe_failure();

}  // namespace tune::worker
