#pragma once

#include "measure/campaign/campaign_result.h"
#include "result/result.h"

#include <string>
#include <utility>
#include <vector>

namespace tune::report {

/// What the first completed trial's worker saw; null when none completed.
const trial::WorkerFacts* worker_facts(const campaign::CampaignResult& result);

/// The command as it can be pasted into a shell.
std::string command_line(const std::vector<std::string>& words);

/// Why trials ran on the CPU although there is a GPU driver: "On the CPU: the driver
/// supports CUDA 12.4, ...", which follows a headline; "" for all other runs.
std::string on_cpu_text(const machine::MachineFacts& machine);

/// The same as a warning, with what to do.
std::string lost_gpu_warning(const machine::MachineFacts& machine);

/// Name and text of everything that makes two runs comparable, for people: CPU, memory, versions,
/// commit, data.
std::vector<std::pair<std::string, std::string>> environment_facts(const result::Result& result);

/// The same in one line: CPU, CPUs, LibTorch, load.
std::string environment_line(const result::Result& result);

}  // namespace tune::report
