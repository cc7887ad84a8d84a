// GPUs, and what of them the worker and its LibTorch can use.

#include "expect_whole.h"
#include "healthy_machine.h"
#include "machine/gpu_driver.h"
#include "measure/doctor/checks.h"
#include "measure/doctor/checkup.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace tune::doctor {
namespace {

machine::GpuState quiet_gpu() {
  machine::GpuState gpu;
  gpu.uuid = "GPU-1";
  gpu.name = "Able";
  gpu.is_persistent = true;
  gpu.compute_mode = "shared";
  gpu.power_limit_w = gpu.usual_power_limit_w = 700;
  gpu.link_width = gpu.most_link_width = 16;
  gpu.processes = 0;
  gpu.used_ratio = 0;
  gpu.memory_bytes = 80 * kGiB;
  gpu.memory_used_bytes = kGiB / 2;
  gpu.temperature = 40;
  return gpu;
}

Observation with_gpu(const machine::GpuState& gpu) {
  Observation seen = healthy_machine();
  seen.gpus.problem.clear();
  seen.gpus.driver = {"580.95.05", 13000};
  seen.gpus.states = {gpu};
  seen.gpus.visible = 1;
  seen.installation.description->gpu = trial::GpuFacts{.name = "Able"};
  return seen;
}

TEST(GpuChecks, AQuietGpuIsOneLine) {
  const auto checks = gpu_checks(with_gpu(quiet_gpu()));
  ASSERT_EQ(checks.size(), 2U);
  EXPECT_EQ(checks[0].found, "1 GPU, driver 580.95.05, for CUDA up to 13.0");
  EXPECT_EQ(checks[1].id, "gpu-state");
  EXPECT_EQ(checks[1].level, Level::ok);
}

TEST(GpuChecks, ADriverForCuda12WillDoAndAnOlderOneWillNot) {
  Observation seen = with_gpu(quiet_gpu());
  seen.gpus.driver = {"535.104.05", 12'020};
  EXPECT_EQ(gpu_checks(seen)[0].level, Level::ok);
  seen.gpus.driver = {"470.256.02", 11'040};
  const Check check = gpu_checks(seen)[0];
  EXPECT_EQ(check.level, Level::warning);
  EXPECT_TRUE(
      holds(check.found, "for CUDA up to 11.4: too old for LibTorch, which needs CUDA 12.0"))
      << check.found;
  EXPECT_TRUE(holds(check.advice, "install driver 525 or newer")) << check.advice;
}

TEST(GpuChecks, EachThingThatIsWrongIsACheckOfItsOwn) {
  machine::GpuState gpu = quiet_gpu();
  gpu.used_ratio = 0.9;
  gpu.processes = 1;
  gpu.temperature = 88;
  gpu.is_thermally_slowed = true;
  gpu.is_power_capped = true;
  gpu.power_limit_w = 400;
  gpu.is_persistent = false;
  gpu.is_partitioned = true;
  gpu.link_width = 4;
  gpu.uncorrected_errors = 1;
  gpu.compute_mode = "prohibited";
  const auto checks = gpu_checks(with_gpu(gpu));
  EXPECT_EQ(check_of(checks, "gpu-load").level, Level::warning);
  EXPECT_EQ(check_of(checks, "gpu-heat").level, Level::warning);
  EXPECT_EQ(check_of(checks, "gpu-power").level, Level::note);
  EXPECT_TRUE(holds(check_of(checks, "gpu-power-limit").found, "400 W instead of 700 W"));
  EXPECT_EQ(check_of(checks, "gpu-persistence").level, Level::note);
  EXPECT_EQ(check_of(checks, "gpu-partitions").level, Level::note);
  EXPECT_TRUE(holds(check_of(checks, "gpu-link").found, "4 of 16 PCIe lanes"));
  EXPECT_EQ(check_of(checks, "gpu-memory-errors").level, Level::warning);
  EXPECT_EQ(check_of(checks, "gpu-compute-mode").level, Level::failure);
  EXPECT_EQ(check_of(checks, "gpu-state").found, "there is none");
  expect_whole(examine(with_gpu(gpu)));
}

TEST(GpuChecks, AGpuThatOnlyTheKernelSeesIsAFailure) {
  Observation seen = healthy_machine();
  EXPECT_EQ(check_of(gpu_checks(seen), "gpu-driver").level, Level::ok);
  seen.machine.gpus = {"NVIDIA H100"};
  seen.gpus.problem = "nvmlInit_v2: NVML code 18 (driver and library versions differ)";
  const Check check = check_of(gpu_checks(seen), "gpu-driver");
  EXPECT_EQ(check.level, Level::failure);
  EXPECT_TRUE(holds(check.found, "code 18")) << check.found;
}

TEST(GpuChecks, HiddenGpusAreTold) {
  Observation seen = with_gpu(quiet_gpu());
  seen.gpus.visible = 0;
  EXPECT_TRUE(holds(check_of(gpu_checks(seen), "gpu-driver").advice, "CUDA_VISIBLE_DEVICES"));
}

TEST(InstallationChecks, AMissingWorkerIsBuiltUnlessItWasNamed) {
  Observation seen = healthy_machine();
  seen.installation.description.reset();
  seen.installation.worker_is_missing = true;
  seen.installation.worker_problem = "is no program";
  EXPECT_EQ(check_of(installation_checks(seen), "worker").level, Level::note);
  seen.installation.worker_is_named = true;
  EXPECT_EQ(check_of(installation_checks(seen), "worker").level, Level::failure);
}

TEST(InstallationChecks, AWorkerThatDoesNotRunOrIsOfAnotherVersion) {
  Observation seen = healthy_machine();
  seen.installation.description->version = "0.0.9";
  EXPECT_EQ(check_of(installation_checks(seen), "worker").level, Level::warning);
  seen.installation.description->protocol = trial::kProtocol + 1;
  EXPECT_EQ(check_of(installation_checks(seen), "worker").level, Level::failure);
  seen.installation.description.reset();
  seen.installation.worker_problem = "exit code 127: libtorch_cpu.so is missing";
  const Check check = check_of(installation_checks(seen), "worker");
  EXPECT_EQ(check.level, Level::failure);
  EXPECT_TRUE(holds(check.found, "libtorch_cpu.so")) << check.found;
  EXPECT_TRUE(holds(check.advice, "ldd /opt/tune/tune-worker")) << check.advice;
}

TEST(InstallationChecks, AnInstalledWorkerWithoutLibTorch) {
  Observation seen = healthy_machine();
  seen.installation.description.reset();
  seen.installation.torch_is_missing = true;
  seen.installation.worker_problem = "tune-worker: no LibTorch 2.11";
  const Check check = check_of(installation_checks(seen), "worker");
  EXPECT_EQ(check.level, Level::failure);
  EXPECT_TRUE(holds(check.found, "no LibTorch 2.11")) << check.found;
  EXPECT_TRUE(holds(check.advice, "TUNE_TORCH_DIR")) << check.advice;
}

TEST(InstallationChecks, AnotherLibTorchWeakKernelsAndAGpuThatIsNotUsed) {
  Observation seen = with_gpu(quiet_gpu());
  trial::WorkerDescription& worker = *seen.installation.description;
  worker.torch_version = "2.110.0";
  worker.gpu.reset();
  worker.no_gpu_kind = "driver_too_old";
  worker.no_gpu_text = "the driver serves CUDA 12.4";
  seen.machine.cpu_flags = {"avx2", "avx512f"};
  auto checks = installation_checks(seen);
  EXPECT_EQ(check_of(checks, "libtorch").level, Level::warning) << "2.110 is not 2.11";
  EXPECT_TRUE(holds(check_of(checks, "libtorch").why, "2.8 to 2.11"));
  EXPECT_EQ(check_of(checks, "cpu-capability").level, Level::note);
  EXPECT_EQ(check_of(checks, "worker-gpu").level, Level::warning);
  EXPECT_EQ(check_of(checks, "worker-gpu").advice, "update the driver");
  seen.gpus.driver.version = "535.104.05";
  EXPECT_EQ(check_of(installation_checks(seen), "worker-gpu").advice,
            "./tune run builds it with a LibTorch for CUDA 12");
  seen.gpus.driver.version = "470.256.02";
  EXPECT_EQ(check_of(installation_checks(seen), "worker-gpu").advice, "update the driver");
  worker.torch_version = "2.10.0";
  EXPECT_EQ(check_of(installation_checks(seen), "libtorch").level, Level::ok);
  worker.cpu_capability = "DEFAULT";
  EXPECT_EQ(check_of(installation_checks(seen), "cpu-capability").level, Level::warning);
  worker.gpu = trial::GpuFacts{.name = "Able", .driver_version = 12080, .runtime_version = 13000};
  EXPECT_TRUE(holds(check_of(installation_checks(seen), "worker-gpu").found, "newer"));
}

std::string setup_file(const std::string& name) {
  std::ifstream file(std::string(SOURCE_DIR) + "/harness/setup/" + name);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(InstallationChecks, TheTestedLibTorchIsTheOneThatIsFetched) {
  EXPECT_TRUE(
      holds(setup_file("places.sh"), "kTorchVersion=" + std::string(machine::kTorchVersion) + " "));
  EXPECT_TRUE(
      holds(setup_file("torch.sh"), "torch_release=" + std::string(machine::kTorchRelease) + "\n"));
  EXPECT_TRUE(holds(setup_file("places.sh"),
                    "kOldestTorchVersion=" + std::string(machine::kOldestTorchVersion) + "\n"));
  EXPECT_TRUE(holds(setup_file("torch.sh"),
                    "([12]=" + std::to_string(machine::kOldestDriverRelease) +
                        " [13]=" + std::to_string(machine::kOldestDriverOfCuda13) + ")"));
}

}  // namespace
}  // namespace tune::doctor
