#include "cli/trial_machine.h"

#include "base/error.h"
#include "cli/ask_worker.h"
#include "cli/worker_program.h"
#include "machine/gpu_driver.h"
#include "runner/output_log.h"
#include "scenario/machine.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace tune::cli {

namespace {

namespace fs = std::filesystem;

constexpr const char* kRoot = "/";

// "" and -1 hide all of them.
bool hides_gpus() {
  const char* const visible = std::getenv("CUDA_VISIBLE_DEVICES");
  return visible != nullptr && (*visible == '\0' || *visible == '-');
}

// Where libcuda.so.1 lies that the system's own folders need not have.
std::string folders_of_driver() {
  const char* const path = std::getenv("LD_LIBRARY_PATH");
  return machine::driver_folders(path == nullptr ? "" : path);
}

std::optional<fs::path> worker_program() {
  try {
    return find_worker_program();
  } catch (const Error&) {  // not built yet
    return std::nullopt;
  }
}

std::string why_the_worker_cannot(const fs::path& worker) {
  const WorkerAnswer& answer = ask_worker(worker);
  if (!answer.description) {
    return "tune-worker does not say what it can compute on (" + answer.problem + ")";
  }
  if (answer.description->gpu) {
    return "";
  }
  const std::string& why = answer.description->no_gpu_text;
  return why.empty() ? "tune-worker does not say why" : why;
}

// What can be told before there is a worker. A libcuda.so.1 that is brought along (cuda-compat) may
// be newer than the kernel's part.
std::string why_the_driver_cannot(const machine::MachineFacts& facts) {
  const std::string version = machine::driver_version(kRoot);
  const auto release = machine::driver_release(version);
  if (release && *release < machine::kOldestDriverRelease && folders_of_driver().empty()) {
    return "NVIDIA's driver is " + version + ", LibTorch needs " +
           std::to_string(machine::kOldestDriverRelease) + " or newer";
  }
  return facts.gpus.empty() ? "no GPU is seen" : "";
}

// One line, printable, and short enough for the ledger.
std::string why_no_gpu(const machine::MachineFacts& facts) {
  constexpr std::size_t kLongest = 1000;
  if (hides_gpus()) {
    return "CUDA_VISIBLE_DEVICES hides every GPU";
  }
  const auto worker = worker_program();
  const std::string why = worker ? why_the_worker_cannot(*worker) : why_the_driver_cannot(facts);
  std::string line = runner::printable(std::string_view(why).substr(0, kLongest));
  std::replace_if(
      line.begin(), line.end(), [](char letter) { return letter == '\n' || letter == '\t'; }, ' ');
  return line;
}

}  // namespace

machine::MachineFacts machine_of_trials(const trial::Workload& workload) {
  machine::MachineFacts facts = machine::read_machine_facts(kRoot);
  const bool is_auto = workload.device == "auto";
  const bool may_have_gpu =  // who hides them all wants the CPU
      !hides_gpus() && (machine::shows_driver(kRoot) || !folders_of_driver().empty());
  if (workload.on_gpu() || (is_auto && may_have_gpu)) {
    facts.no_gpu = why_no_gpu(facts);
  }
  facts.device = scenario::settled_device(workload.device, may_have_gpu && facts.no_gpu.empty());
  return facts;
}

void require_device(const machine::MachineFacts& machine, const std::string& suggestion) {
  if (machine.device == "cuda" && !machine.no_gpu.empty()) {
    throw MachineError(
        Error::Parts{"workload.device: cuda", "cannot be had here", machine.no_gpu, suggestion});
  }
}

}  // namespace tune::cli
