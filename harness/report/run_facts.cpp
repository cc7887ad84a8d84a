#include "report/run_facts.h"

#include "base/units.h"
#include "campaign/measured_parts.h"
#include "report/markup.h"
#include "report/number_text.h"

#include <algorithm>
#include <cstddef>

namespace tune::report {

namespace {

using campaign::CampaignResult;

constexpr std::size_t kLongestCells = 300;

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    text += (text.empty() ? "" : " ") + one_line(word);
  }
  return text;
}

std::string or_unknown(const std::string& text) {
  return text.empty() ? "not known" : text;
}

bool is_plain(const std::string& word) {
  return !word.empty() &&
         word.find_first_not_of(
             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,@%+") ==
             std::string::npos;
}

std::string cpus_text(const machine::MachineFacts& machine) {
  std::string text = std::to_string(machine.cpus) + " usable of " +
                     std::to_string(machine.logical_cpus) + " (" +
                     counted(machine.physical_cores, "core") + ")";
  if (machine.cgroup_cpus) {
    text += ", limited to " + number_text(*machine.cgroup_cpus) + " by the cgroup";
  }
  return text;
}

std::string memory_text(const machine::MachineFacts& machine) {
  if (machine.memory_bytes <= 0) {
    return "not known";
  }
  const std::string text = format_bytes(machine.memory_bytes);
  return machine.memory_limit_bytes > 0 && machine.memory_limit_bytes < machine.memory_bytes
             ? text + ", limited to " + format_bytes(machine.memory_limit_bytes)
             : text;
}

std::string reason_of(const machine::MachineFacts& machine) {
  constexpr std::size_t kLongest = 300;
  return shortened(machine.no_gpu, kLongest);
}

std::string device_text(const machine::MachineFacts& machine) {
  return one_line(machine.device) + (machine.no_gpu.empty() ? "" : ": " + reason_of(machine));
}

std::string data_text(const trial::Data& data) {
  std::string text = one_line(data.source);
  if (data.samples > 0) {
    text += ", " + counted(data.samples, "sample");
  }
  if (!data.profile.empty()) {
    text += ", profile " + one_line(data.profile);
  }
  if (!data.path.empty()) {
    text += ", " + one_line(data.path);
  }
  return text;
}

std::string library_text(const trial::WorkerFacts& facts) {
  std::string text = "LibTorch " + or_unknown(one_line(facts.torch_version));
  if (!facts.cpu_capability.empty()) {
    text += " (" + one_line(facts.cpu_capability) + ")";
  }
  if (!facts.jpeg_version.empty()) {
    text += ", libjpeg " + one_line(facts.jpeg_version);
  }
  return text;
}

// "node1: baseline, c01, c05; rounds 1 to 3; baseline 101 samples/s".
std::string part_text(const campaign::MeasuredPart& part) {
  std::string text = campaign::host_words(part) + ": ";
  std::string cells;
  for (const std::string& cell : part.cells) {
    cells += (cells.empty() ? "" : ", ") + one_line(cell);
  }
  text += cells.empty() ? "no trial" : shortened(cells, kLongestCells);
  if (part.first_round > 0) {
    text +=
        "; rounds " + std::to_string(part.first_round) + " to " + std::to_string(part.last_round);
  }
  if (part.baseline) {
    text += "; baseline " + number_text(part.baseline->value) + " samples/s";
  }
  return text;
}

// How many words -o and its value are from this one on; 0 of another word.
std::ptrdiff_t output_words(const std::string& word) {
  if (word == "-o" || word == "--output") {
    return 2;
  }
  const bool holds_value = word.starts_with("--output=") || word.starts_with("-o");
  return holds_value ? 1 : 0;
}

bool names_seed(const std::string& word) {
  return word == "--seed" || word.starts_with("--seed=") || word.starts_with("seed=") ||
         word.starts_with("--set=seed=");
}

}  // namespace

const trial::WorkerFacts* worker_facts(const CampaignResult& result) {
  for (const campaign::TrialRecord& trial : result.trials) {
    if (trial.outcome.kind == runner::OutcomeKind::completed && trial.outcome.reply) {
      return &trial.outcome.reply->facts;
    }
  }
  return nullptr;
}

std::string command_line(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) {
    line += line.empty() ? "" : " ";
    if (is_plain(word)) {
      line += word;
      continue;
    }
    line += '\'';
    for (const char c : word) {
      line += c == '\'' ? "'\\''" : std::string(1, c);
    }
    line += '\'';
  }
  return line;
}

std::vector<std::string> repeat_command(const CampaignResult& result) {
  const std::vector<std::string>& typed = result.command;
  const auto end = std::find(typed.begin(), typed.end(), "--");  // behind it nothing is a flag
  std::vector<std::string> words;
  for (auto at = typed.begin(); at < end;) {
    const std::ptrdiff_t taken = std::min(output_words(*at), end - at);
    if (taken == 0) {
      words.push_back(*at);
    }
    at += std::max<std::ptrdiff_t>(taken, 1);
  }
  if (!typed.empty() && !result.scenario.has_seed && result.scenario.joined_shards == 0 &&
      std::none_of(words.begin(), words.end(), names_seed)) {
    words.emplace_back("--seed");
    words.push_back(std::to_string(result.seed));
  }
  words.insert(words.end(), end, typed.end());
  return words;
}

std::string on_cpu_text(const machine::MachineFacts& machine) {
  return machine.no_gpu.empty() ? "" : "On the CPU: " + reason_of(machine) + ".";
}

std::string lost_gpu_warning(const machine::MachineFacts& machine) {
  return machine.no_gpu.empty()
             ? ""
             : "No GPU was used, although there is a driver: " + reason_of(machine) +
                   ". `tune doctor` says what to do.";
}

std::vector<std::pair<std::string, std::string>> environment_facts(const CampaignResult& result) {
  const machine::MachineFacts& machine = result.machine;
  const trial::Data& data = result.data;
  std::vector<std::pair<std::string, std::string>> facts = {
      {"CPU", or_unknown(one_line(machine.cpu_model))},
      {"CPU flags that matter", machine.cpu_flags.empty() ? "none" : joined(machine.cpu_flags)},
      {"CPUs", cpus_text(machine)},
      {"memory", memory_text(machine)},
      {"frequency governor", one_line(machine.governor.value_or("not shown by the kernel"))},
      {"transparent huge pages",
       one_line(machine.transparent_huge_pages.value_or("not shown by the kernel"))},
      {"load before the run", number_text(machine.load1)},
      {"device", device_text(machine)},
      {"GPUs",
       machine.gpus.empty()
           ? "none seen"
           : joined(machine.gpus) +
                 (machine.device == "cpu" ? " (not used: the trials run on the CPU)" : "")},
      {"system",
       or_unknown(one_line(machine.distribution)) + ", kernel " +
           or_unknown(one_line(machine.kernel))},
  };
  for (const campaign::MeasuredPart& part : result.parts) {
    facts.emplace_back(part.shard > 0 ? "shard " + std::to_string(part.shard) : "after the shards",
                       part_text(part));
  }
  if (const trial::WorkerFacts* worker = worker_facts(result)) {
    facts.emplace_back("libraries", library_text(*worker));
    facts.emplace_back("threads of one operator", std::to_string(worker->intra_op_threads));
  } else {
    facts.emplace_back("libraries", "not known (no trial completed)");
  }
  facts.emplace_back(
      "tune", one_line(result.tune_version) + ", commit " + or_unknown(one_line(result.commit)));
  facts.emplace_back("data", data_text(data));
  facts.emplace_back("data manifest (SHA-256)",
                     data.manifest_sha256.empty()
                         ? (data.source == "synthetic" ? "none: synthetic data" : "not known")
                         : one_line(data.manifest_sha256));
  return facts;
}

std::string environment_line(const CampaignResult& result) {
  std::string line = or_unknown(one_line(result.machine.cpu_model)) + ", " +
                     counted(result.machine.cpus, "CPU") + ", " + memory_text(result.machine);
  if (const trial::WorkerFacts* worker = worker_facts(result)) {
    line += ", " + library_text(*worker);
  }
  return line + ", load " + number_text(result.machine.load1) + " before the run, tune " +
         one_line(result.tune_version) + ", commit " + or_unknown(one_line(result.commit));
}

}  // namespace tune::report
