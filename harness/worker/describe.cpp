#include "worker/describe.h"

#include "base/fields.h"
#include "trial/trial_spec.h"
#include "trial/worker_description.h"
#include "worker/gpu_window.h"
#include "worker/knob/all_knobs.h"
#include "worker/knob/amp.h"
#include "worker/usable_cpus.h"
#include "worker/workload/all_workloads.h"

#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <jpeglib.h>
#include <nlohmann/json.hpp>
#include <torch/version.h>

#include <cstdio>  // jpeglib.h needs it first
#include <string>
#include <vector>

namespace tune::worker {

namespace {

std::string jpeg_version() {
  constexpr int kVersion = LIBJPEG_TURBO_VERSION_NUMBER;  // 2'001'005 is 2.1.5
  return "libjpeg-turbo " + std::to_string(kVersion / 1'000'000) + "." +
         std::to_string(kVersion / 1'000 % 1'000) + "." + std::to_string(kVersion % 1'000);
}

}  // namespace

trial::WorkerFacts read_worker_facts(const CudaPlugin* gpu) {
  trial::WorkerFacts facts;
  if (gpu != nullptr) {
    facts.device = "cuda";
    facts.gpu = gpu_facts(gpu->facts());
  }
  facts.torch_version = TORCH_VERSION;
  facts.cpu_capability = at::get_cpu_capability();
  facts.jpeg_version = jpeg_version();
  facts.intra_op_threads = at::get_num_threads();
  const std::vector<int> cpus = usable_cpus();
  facts.cpus.assign(cpus.begin(), cpus.end());
  facts.bf16_supported = has_bf16_units();
  facts.fp16_supported = has_fp16_units();
  return facts;
}

std::string describe_worker(const CudaLoad& cuda) {
  const trial::WorkerFacts facts = read_worker_facts(cuda.plugin.get());
  trial::WorkerDescription worker;
  worker.protocol = trial::kProtocol;
  worker.version = TUNE_VERSION;
  worker.torch_version = facts.torch_version;
  worker.cpu_capability = facts.cpu_capability;
  worker.jpeg_version = facts.jpeg_version;
  worker.device = facts.device;
  worker.knobs = knob_names();
  worker.workloads = workload_names();
  worker.gpu = facts.gpu;
  worker.no_gpu_kind = cuda.reason.kind;
  worker.no_gpu_text = cuda.reason.text;
  return json_text(to_value(worker), 2) + "\n";  // a driver's texts may be any bytes
}

}  // namespace tune::worker
