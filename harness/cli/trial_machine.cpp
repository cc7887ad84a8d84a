#include "cli/trial_machine.h"

#include "scenario/settle_device.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace tune::cli {

namespace {

namespace fs = std::filesystem;

// As find_worker_program() looks for it, which would throw without a worker; a plan needs none.
bool has_cuda_part() {
  std::error_code failed;
  const char* const named = std::getenv("TUNE_WORKER_PROGRAM");
  const fs::path program = named != nullptr && *named != '\0'
                               ? fs::absolute(named, failed)
                               : fs::read_symlink("/proc/self/exe", failed);
  return fs::exists(program.parent_path() / "libtune_cuda.so", failed);
}

// "" and -1 hide all of them.
bool hides_gpus() {
  const char* const visible = std::getenv("CUDA_VISIBLE_DEVICES");
  return visible != nullptr && (*visible == '\0' || *visible == '-');
}

}  // namespace

machine::MachineFacts machine_of_trials(const trial::Workload& workload) {
  machine::MachineFacts facts = machine::read_machine_facts("/");
  const bool has_gpu = !facts.gpus.empty() && !hides_gpus() && has_cuda_part();
  facts.device = scenario::settled_device(workload.device, has_gpu);
  return facts;
}

}  // namespace tune::cli
