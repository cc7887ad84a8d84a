#pragma once

#include "trial/trial_reply.h"

namespace tune::worker {

/// What this process sees of the machine; threads and CPUs as the knobs have left them.
trial::WorkerFacts read_worker_facts();

}  // namespace tune::worker
