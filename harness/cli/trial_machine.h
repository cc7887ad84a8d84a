#pragma once

#include "machine/machine_facts.h"
#include "measure/doctor/observation.h"
#include "trial/trial_spec.h"
#include "trial/worker_description.h"

#include <filesystem>
#include <optional>
#include <string>

namespace tune::cli {

/// The program that runs trials: $TUNE_WORKER_PROGRAM, else `tune-worker` next to this program, or
/// `tune-script` where the workload is a script. Throws tune::Error when it is missing or cannot
/// be run, or when it needs a LibTorch and there is none (machine/worker_torch.h).
std::filesystem::path find_worker_program(const trial::Workload& workload = {});

/// The same without looking for LibTorch.
std::filesystem::path locate_worker_program(const trial::Workload& workload = {});

/// What a worker says of itself.
struct WorkerAnswer {
  std::optional<trial::WorkerDescription> description;
  std::string problem;  ///< why there is none
};

/// Runs `<worker> --describe`, which really opens the GPU. Loading LibTorch takes it a second, and
/// with CUDA several: each worker is asked once in the life of this process.
const WorkerAnswer& ask_worker(const std::filesystem::path& worker);

/// The facts of this machine for trials of this workload: `device` is where they will run. `auto`
/// is a GPU where something shows a driver and the worker says that it can compute on it; `no_gpu`
/// tells why it cannot, also where `cuda` is asked for by name. Without a worker, which a plan does
/// not need, the driver's version decides. Throws tune::Error where trials want a GPU and
/// CUDA_VISIBLE_DEVICES names none of those that there are.
machine::MachineFacts machine_of_trials(const trial::Workload& workload);

/// Throws tune::MachineError where trials would run on a GPU that is not available, with what to
/// do.
void require_device(const machine::MachineFacts& machine,
                    const std::string& suggestion = "--set device=cpu");

}  // namespace tune::cli
