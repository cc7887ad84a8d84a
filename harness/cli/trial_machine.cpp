#include "cli/trial_machine.h"

#include "base/error.h"
#include "machine/gpu_driver.h"
#include "machine/gpu_state.h"
#include "machine/nvml.h"
#include "machine/worker_torch.h"
#include "measure/runner/output_log.h"
#include "measure/runner/run_program.h"
#include "scenario/machine.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace tune::cli {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_named(const fs::path& program) {
  throw Error(Error::Parts{
      program.string(), "is not a program", "from environment variable TUNE_WORKER_PROGRAM", ""});
}

[[noreturn]] void refuse_own(const fs::path& program) {
  std::error_code unknown;
  const fs::path folder = program.parent_path();
  const bool is_installed = !fs::exists(folder.parent_path() / "CMakeCache.txt", unknown);
  throw Error(Error::Parts{program.string(),
                           "is not a program",
                           is_installed ? "this tune was installed without its worker"
                                        : "this tune was built without its worker",
                           is_installed ? "Install the package tune-worker of the same version"
                                        : "./tune run builds it"});
}

}  // namespace

fs::path locate_worker_program(const trial::Workload& workload) {
  const char* named = std::getenv("TUNE_WORKER_PROGRAM");
  const bool is_named = named != nullptr && *named != '\0';
  std::error_code failed;
  fs::path program = is_named ? fs::absolute(named)
                              : fs::read_symlink("/proc/self/exe", failed).parent_path() /
                                    (workload.script.exists() ? "tune-script" : "tune-worker");
  if (!fs::is_regular_file(program, failed) || access(program.c_str(), X_OK) != 0) {
    if (is_named) {
      refuse_named(program);
    }
    refuse_own(program);
  }
  return program;
}

fs::path find_worker_program(const trial::Workload& workload) {
  fs::path program = locate_worker_program(workload);
  machine::torch_of_worker(program);  // a sentence now instead of the loader's words in every trial
  return program;
}

namespace {

WorkerAnswer ask(const std::filesystem::path& worker) {
  constexpr std::int64_t kLongestNs = 60'000'000'000;
  constexpr std::size_t kMostBytes = 1 << 16;
  WorkerAnswer answer;
  try {
    const runner::ProgramRun run =
        runner::run_program(worker, "--describe", kLongestNs, nullptr, kMostBytes);
    answer.problem = run.problem();
    if (answer.problem.empty()) {
      answer.description = trial::parse_worker_description(run.output, "its description");
    }
  } catch (const Error& error) {
    answer.problem = error.what();
  }
  return answer;
}

}  // namespace

const WorkerAnswer& ask_worker(const std::filesystem::path& worker) {
  static std::map<std::filesystem::path, WorkerAnswer> answers;
  const auto found = answers.find(worker);
  return found != answers.end() ? found->second
                                : answers.emplace(worker, ask(worker)).first->second;
}

namespace {

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

// How many GPUs trials may use, and, where the machine has several, which one a trial uses that
// uses one: "GPU 1 of 4 (NVIDIA L4)". Throws tune::Error where CUDA_VISIBLE_DEVICES names none of
// them: CUDA would show no GPU, and the trials would quietly run on the CPU. Parts of a GPU (MIG)
// are not on NVML's list.
void read_used_gpus(const machine::Nvml& nvml, machine::MachineFacts& facts) {
  const char* const variable = std::getenv("CUDA_VISIBLE_DEVICES");
  const auto visible = variable == nullptr ? std::nullopt : std::optional(std::string(variable));
  const machine::UsedGpu used = machine::find_used_gpu(nvml, visible);
  if (used.gpus == 0 || (visible && visible->find("MIG-") != std::string::npos)) {
    return;
  }
  if (!used.index) {
    const std::string last = std::to_string(used.gpus - 1);
    throw Error(
        Error::Parts{"CUDA_VISIBLE_DEVICES=" + *visible,
                     "names none of the GPUs of this machine",
                     used.gpus == 1 ? "it has one, number 0" : "it has those from 0 to " + last,
                     "CUDA_VISIBLE_DEVICES=0, or --set device=cpu"});
  }
  facts.usable_gpus = static_cast<std::int64_t>(used.allowed);
  facts.gpu_name = used.name;
  if (used.gpus > 1) {
    facts.used_gpu = "GPU " + std::to_string(*used.index) + " of " + std::to_string(used.gpus) +
                     " (" + used.name + ")";
  }
}

std::vector<std::string> names_of_gpus(const machine::Nvml& nvml) {
  std::vector<std::string> names;
  names.reserve(nvml.gpus().size());
  for (const machine::Nvml::Gpu& gpu : nvml.gpus()) {
    names.push_back(gpu.name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

// One line, printable, and short enough for the ledger.
std::string why_no_gpu(const machine::MachineFacts& facts, const trial::Workload& workload) {
  constexpr std::size_t kLongest = 1000;
  if (hides_gpus()) {
    return "CUDA_VISIBLE_DEVICES hides every GPU";
  }
  const auto worker = workload.script.exists() ? std::nullopt : worker_program();
  const std::string why = worker ? why_the_worker_cannot(*worker) : why_the_driver_cannot(facts);
  std::string line = runner::printable(std::string_view(why).substr(0, kLongest));
  std::replace_if(
      line.begin(), line.end(), [](char letter) { return letter == '\n' || letter == '\t'; }, ' ');
  return line;
}

// CUDA's name, which also tells a part of a GPU (MIG), replaces the driver's.
void read_name(const trial::Workload& workload, machine::MachineFacts& facts) {
  const auto worker = workload.script.exists() ? std::nullopt : worker_program();
  if (!worker) {
    return;
  }
  const WorkerAnswer& answer = ask_worker(*worker);
  if (answer.description && answer.description->gpu) {
    facts.gpu_name = answer.description->gpu->name;
  }
}

}  // namespace

machine::MachineFacts machine_of_trials(const trial::Workload& workload) {
  machine::MachineFacts facts = machine::read_machine_facts(kRoot);
  const bool is_auto = workload.device == "auto";
  const bool may_have_gpu =  // who hides them all wants the CPU
      !hides_gpus() && (machine::shows_driver(kRoot) || !folders_of_driver().empty());
  const bool wants_gpu = workload.on_gpu() || (is_auto && may_have_gpu);
  if (wants_gpu && may_have_gpu) {
    const machine::Nvml nvml;
    if (facts.gpus.empty()) {  // /proc shows no driver: that of LD_LIBRARY_PATH
      facts.gpus = names_of_gpus(nvml);
    }
    if (!workload.script.exists()) {  // a script chooses its GPUs itself
      read_used_gpus(nvml, facts);
    }
  }
  if (wants_gpu) {
    facts.no_gpu = why_no_gpu(facts, workload);
    read_name(workload, facts);
  }
  facts.device = scenario::settled_device(workload.device, may_have_gpu && facts.no_gpu.empty());
  if (facts.device != "cuda") {
    facts.used_gpu.clear();
    facts.gpu_name.clear();
    facts.usable_gpus = 0;
  }
  return facts;
}

void require_device(const machine::MachineFacts& machine, const std::string& suggestion) {
  if (machine.device == "cuda" && !machine.no_gpu.empty()) {
    throw MachineError(
        Error::Parts{"workload.device: cuda", "is not available here", machine.no_gpu, suggestion});
  }
}

}  // namespace tune::cli
