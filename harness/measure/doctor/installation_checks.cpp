#include "machine/gpu_driver.h"
#include "machine/worker_torch.h"
#include "measure/doctor/checks.h"
#include "trial/trial_spec.h"

namespace tune::doctor {

namespace {

Check worker_check(const Installation& own) {
  Check check{.id = "worker"};
  check.found = "tune " + own.tune_version;
  if (own.worker_is_missing) {
    check.level = own.worker_is_named ? Level::failure : Level::note;
    check.found += ", no worker: " + own.worker_problem;
    check.why = "nothing can be measured without it";
    check.advice = own.worker_is_named ? "unset TUNE_WORKER_PROGRAM"
                                       : "./tune run builds it, and fetches LibTorch for that";
    return check;
  }
  if (own.torch_is_missing) {
    check.level = Level::failure;
    check.found += ", worker without LibTorch: " + own.worker_problem;
    check.why = "every trial would fail like that";
    check.advice = "set TUNE_TORCH_DIR to the site-packages of a Python with torch " +
                   std::string(machine::kTorchVersion);
    return check;
  }
  if (!own.description) {
    check.level = Level::failure;
    check.found += ", but its worker " + own.worker + " does not run: " + own.worker_problem;
    check.why = "every trial would fail like that";
    check.advice = "ldd " + own.worker +
                   " shows what is missing; delete build/release, and ./tune run builds it again";
    return check;
  }
  const trial::WorkerDescription& worker = *own.description;
  check.found += ", worker " + worker.version;
  if (worker.protocol != trial::kProtocol || worker.version != own.tune_version) {
    const bool speaks = worker.protocol == trial::kProtocol;
    check.level = speaks ? Level::warning : Level::failure;
    check.found += speaks ? ""
                          : " that speaks protocol " + std::to_string(worker.protocol) +
                                " instead of " + std::to_string(trial::kProtocol);
    check.why = speaks ? "knobs of one may be unknown to the other" : "it refuses every trial";
    check.advice = own.worker_is_named ? "unset TUNE_WORKER_PROGRAM" : "build both: ./tune run";
  }
  return check;
}

Check torch_check(const trial::WorkerDescription& worker) {
  Check check{.id = "libtorch"};
  check.found = "LibTorch " + worker.torch_version + ", kernels for " + worker.cpu_capability +
                ", " + worker.jpeg_version;
  if (!machine::is_torch_supported(worker.torch_version)) {
    check.level = Level::warning;
    check.why = "tune is built with LibTorch " + std::string(machine::kOldestTorchVersion) +
                " to " + std::string(machine::kTorchVersion);
    check.advice = "unset TUNE_TORCH_DIR, or set it to one of those, and build again";
  }
  return check;
}

// Kernels of LibTorch that this CPU could run and that are not chosen.
Check capability_check(const Observation& seen, const trial::WorkerDescription& worker) {
  Check check{.id = "cpu-capability"};
  const auto has = [&](const char* flag) {
    for (const std::string& known : seen.machine.cpu_flags) {
      if (known == flag) {
        return true;
      }
    }
    return false;
  };
  check.found = "LibTorch uses kernels for " + worker.cpu_capability;
  const bool misses_512 = has("avx512f") && worker.cpu_capability == "AVX2";
  const bool misses_all = has("avx2") && worker.cpu_capability == "DEFAULT";
  if (misses_512 || misses_all) {
    check.level = misses_all ? Level::warning : Level::note;
    check.found += std::string(", although the CPU has ") + (misses_512 ? "AVX-512" : "AVX2");
    check.why = "operators are slower than they could be";
    check.advice = "unset ATEN_CPU_CAPABILITY, or compare with and without it";
  }
  return check;
}

// A worker that was built for CUDA 13, or with a driver that has been replaced since.
std::string what_an_old_driver_runs(const Observation& seen) {
  const std::int64_t release = machine::driver_release(seen.gpus.driver.version).value_or(0);
  const bool is_for_cuda_12 =
      release >= machine::kOldestDriverRelease && release < machine::kOldestDriverOfCuda13;
  return is_for_cuda_12 ? "./tune run builds it with a LibTorch for CUDA 12" : "update the driver";
}

Check gpu_use_check(const Observation& seen, const trial::WorkerDescription& worker) {
  Check check{.id = "worker-gpu"};
  if (worker.gpu) {
    check.found = "the worker computes on " + worker.gpu->name;
    if (worker.gpu->runtime_version > worker.gpu->driver_version) {
      check.level = Level::warning;
      check.found += " with a CUDA that is newer than the driver";
      check.why = "new features of CUDA are missing, some calls may fail";
      check.advice = "update the driver";
    }
    return check;
  }
  check.found = "the worker computes on the CPU";
  if (!seen.gpus.states.empty() && seen.gpus.visible > 0) {
    check.level = Level::warning;
    check.found += ": " + worker.no_gpu_text + " (" + worker.no_gpu_kind + ")";
    check.why = "this machine has a GPU that trials do not use";
    check.advice = worker.no_gpu_kind == "driver_too_old" ? what_an_old_driver_runs(seen)
                   : worker.no_gpu_kind == "no_plugin"
                       ? "build with TUNE_WORKER=cuda: harness/setup/README.md"
                       : "see harness/setup/README.md";
  }
  return check;
}

Check probe_check(const Installation& own) {
  Check check{.id = "probe"};
  check.found = "limits of this machine measured " + own.probe_utc;
  if (own.probe_utc.empty()) {
    check.level = Level::note;
    check.found = "the limits of this machine were never measured";
    check.why = "reports cannot say how near a run comes to them";
    check.advice = "tune probe";
  }
  return check;
}

}  // namespace

std::vector<Check> installation_checks(const Observation& seen) {
  const Installation& own = seen.installation;
  std::vector<Check> checks = {worker_check(own)};
  if (own.description) {
    checks.push_back(torch_check(*own.description));
    checks.push_back(capability_check(seen, *own.description));
    checks.push_back(gpu_use_check(seen, *own.description));
  }
  checks.push_back(probe_check(own));
  return checks;
}

}  // namespace tune::doctor
