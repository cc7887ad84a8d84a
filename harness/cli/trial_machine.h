#pragma once

#include "machine/machine_facts.h"
#include "trial/trial_spec.h"

namespace tune::cli {

/// The facts of this machine for trials of this workload: `device` is where they will run. `auto`
/// is a GPU where the driver shows one that CUDA_VISIBLE_DEVICES leaves, and libtune_cuda.so lies
/// beside the worker. Nothing of CUDA is asked: only a worker finds out whether it works.
machine::MachineFacts machine_of_trials(const trial::Workload& workload);

}  // namespace tune::cli
