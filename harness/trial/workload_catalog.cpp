#include "trial/workload_catalog.h"

#include <algorithm>

namespace tune::trial {

const std::vector<WorkloadEntry>& all_workloads() {
  static const std::vector<WorkloadEntry> workloads = {
      {"mlp",
       "eight small linear layers: bound by operators, not by arithmetic",
       {"train", "infer"},
       false},
      {"resnet18",
       "ResNet-18 (He et al. 2015), 11,689,512 parameters at 1,000 classes",
       {"train", "infer"},
       true},
  };
  return workloads;
}

const WorkloadEntry* find_workload(std::string_view name) {
  const auto& workloads = all_workloads();
  const auto found = std::find_if(workloads.begin(),
                                  workloads.end(),
                                  [&](const WorkloadEntry& entry) { return entry.name == name; });
  return found == workloads.end() ? nullptr : &*found;
}

}  // namespace tune::trial
