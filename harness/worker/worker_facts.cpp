#include "worker/worker_facts.h"

#include "machine/cpu_list.h"
#include "worker/gpu_window.h"
#include "worker/knob/matrix_units.h"

#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <jpeglib.h>
#include <torch/headeronly/version.h>

#include <cstdio>  // jpeglib.h needs it, and to stand before it
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
  const std::vector<int> cpus = machine::allowed_cpus();
  facts.cpus.assign(cpus.begin(), cpus.end());
  facts.bf16_supported = has_bf16_units();
  facts.fp16_supported = has_fp16_units();
  return facts;
}

}  // namespace tune::worker
