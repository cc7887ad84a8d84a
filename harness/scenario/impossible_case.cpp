#include "scenario/impossible_case.h"

#include "scenario/machine.h"
#include "trial/rank_report.h"
#include "trial/workload_catalog.h"

namespace tune::scenario {

namespace {

using machine::MachineFacts;
using trial::KnobSettings;
using trial::KnobValue;

bool on_cpu(const MachineFacts& machine) {
  return machine.device == "cpu";
}

// Whether a back end of attention is used. Nobody knows whether a model of one's own attends;
// `fused` says nothing to it.
bool uses_sdpa_on_cpu(const Scenario& scenario,
                      const MachineFacts& machine,
                      const KnobSettings& settings) {
  const trial::WorkloadEntry* const model = trial::find_workload(scenario.workload.model);
  const bool attends =
      model != nullptr && model->has_attention && settings.at("fused") == KnobValue(true);
  return on_cpu(machine) && (scenario.workload.own.exists() || attends);
}

bool drops_attention(const Scenario& scenario) {
  return scenario.workload.task == "train" && !scenario.workload.own.exists() &&
         trial::real_param(scenario.workload, "attention_dropout") > 0;
}

std::int64_t most_devices(const MachineFacts& machine) {
  const std::int64_t known = on_cpu(machine) ? machine.cpus : machine.usable_gpus;
  return known > 0 ? known : trial::kMostRanks;
}

}  // namespace

std::vector<ImpossibleCase> impossible_cases(const Scenario& scenario,
                                             const MachineFacts& machine) {
  return {
      {"amp == 'fp16' and not fp16",
       [&](const KnobSettings& settings) {
         return on_cpu(machine) && settings.at("amp") == KnobValue("fp16") && !has_fp16(machine);
       }},
      {"sdpa in ['mem_efficient', 'cudnn'] and device == 'cpu'",
       [&](const KnobSettings& settings) {
         const KnobValue& sdpa = settings.at("sdpa");
         return (sdpa == KnobValue("mem_efficient") || sdpa == KnobValue("cudnn")) &&
                uses_sdpa_on_cpu(scenario, machine, settings);
       }},
      {"sdpa == 'flash' and device == 'cpu', whose kernel has no dropout",
       [&](const KnobSettings& settings) {
         return settings.at("sdpa") == KnobValue("flash") &&
                uses_sdpa_on_cpu(scenario, machine, settings) && drops_attention(scenario);
       }},
      {"devices > 1 and task == 'infer', where nothing is averaged",
       [&](const KnobSettings& settings) {
         return trial::rank_count(settings) > 1 && scenario.workload.task == "infer";
       }},
      {"devices > 1 and data of a plug-in, which has no parts",
       [&](const KnobSettings& settings) {
         return trial::rank_count(settings) > 1 && scenario.data.source == "plugin";
       }},
      {"devices > " + std::to_string(most_devices(machine)) + ", the " +
           (on_cpu(machine) ? "CPUs" : "GPUs") + " that trials may use",
       [&](const KnobSettings& settings) {
         return trial::rank_count(settings) > most_devices(machine);
       }},
  };
}

}  // namespace tune::scenario
