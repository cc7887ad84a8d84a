#include "scenario/objective.h"

#include "base/error.h"
#include "machine/device_peaks.h"
#include "trial/workload_catalog.h"

#include <algorithm>

namespace tune::scenario {

namespace {

// The name of the GPU of the trials; "" where it is not known.
std::string gpu_of(const machine::MachineFacts& machine) {
  if (!machine.gpu_name.empty() || machine.gpus.empty()) {
    return machine.gpu_name;
  }
  const std::string& first = machine.gpus.front();
  const bool is_one = std::all_of(
      machine.gpus.begin(), machine.gpus.end(), [&](const auto& name) { return name == first; });
  return is_one ? first : "";
}

}  // namespace

std::string why_no_mfu(const trial::Workload& workload) {
  if (workload.script.exists()) {
    return "a script decides itself in which precision it computes";
  }
  return trial::find_workload(workload.model) == nullptr
             ? "a model of your own decides itself in which precision it computes"
             : "";
}

std::string objective_text(const Scenario& scenario, const machine::MachineFacts& machine) {
  const std::string& metric = scenario.objective.metric;
  const bool is_on_cpu = machine.device != "cuda";
  if (metric == "energy_per_sample" && is_on_cpu) {
    return "energy_per_sample is counted by the drivers of GPUs: here throughput ranks the cells";
  }
  if (metric != "mfu") {
    return "";
  }
  const std::string gpu = gpu_of(machine);
  if (!is_on_cpu && gpu.empty()) {
    return "whether the peaks of the GPU are known, which mfu needs, only its trials tell: without "
           "them throughput ranks the cells";
  }
  if (is_on_cpu || !machine::device_peaks(gpu)) {
    throw Error(Error::Parts{
        scenario.file.string(),
        "objective `maximize: mfu` is not available here",
        is_on_cpu ? "trials run on the CPU, and no table has the peak of a CPU" +
                        (machine.no_gpu.empty() ? std::string() : ": " + machine.no_gpu)
                  : "peaks of " + gpu + " are not known",
        "objective: {maximize: throughput}"});
  }
  return "";
}

}  // namespace tune::scenario
