#include "report/run_facts.h"

#include "base/units.h"
#include "measure/campaign/measured_parts.h"
#include "report/markup.h"
#include "report/number_text.h"

#include <cmath>
#include <cstddef>
#include <cstdint>

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

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    text += (text.empty() ? "" : ", ") + one_line(name);
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

std::string cpus_text(const result::Environment& machine) {
  std::string text = std::to_string(machine.cpus) + " usable of " +
                     std::to_string(machine.logical_cpus) + " (" +
                     counted(machine.physical_cores, "core") + ")";
  if (machine.cgroup_cpus) {
    text += ", limited to " + number_text(*machine.cgroup_cpus) + " by the cgroup";
  }
  return text;
}

std::string memory_text(const result::Environment& machine) {
  const std::int64_t bytes = machine.memory_bytes.count.value_or(0),
                     limit_bytes = machine.memory_limit_bytes.count.value_or(0);
  if (bytes <= 0) {
    return "not known";
  }
  const std::string text = format_bytes(bytes);
  return limit_bytes > 0 && limit_bytes < bytes ? text + ", limited to " + format_bytes(limit_bytes)
                                                : text;
}

std::string reason_of(const std::string& no_gpu) {
  constexpr std::size_t kLongest = 300;
  return shortened(no_gpu, kLongest);
}

std::string device_text(const result::Environment& machine) {
  return one_line(machine.device) +
         (machine.no_gpu.empty() ? "" : ": " + reason_of(machine.no_gpu));
}

std::string data_text(const result::Data& data) {
  std::string text = one_line(data.source);
  if (data.samples && *data.samples > 0) {
    text += ", " + counted(*data.samples, "sample");
  }
  if (!data.profile.empty()) {
    text += ", profile " + one_line(data.profile);
  }
  if (!data.path.empty()) {
    text += ", " + one_line(data.path);
  }
  return text;
}

bool has_answered(const result::Worker& worker) {
  return !worker.device.empty() || !worker.torch_version.empty();
}

std::string library_text(const result::Worker& worker) {
  std::string text = "LibTorch " + or_unknown(one_line(worker.torch_version));
  if (!worker.cpu_capability.empty()) {
    text += " (" + one_line(worker.cpu_capability) + ")";
  }
  if (!worker.jpeg_version.empty()) {
    text += ", libjpeg " + one_line(worker.jpeg_version);
  }
  return text;
}

// "node1: baseline, c01, c05; rounds 1 to 3; baseline 101 samples/s".
std::string host_text(const result::Host& host) {
  std::string text = campaign::host_words({.hosts = host.hosts}) + ": ";
  std::string cells;
  for (const std::string& cell : host.cells) {
    cells += (cells.empty() ? "" : ", ") + one_line(cell);
  }
  text += cells.empty() ? "no trial" : shortened(cells, kLongestCells);
  if (host.rounds) {
    text += "; rounds " + std::to_string(host.rounds->first) + " to " +
            std::to_string(host.rounds->second);
  }
  if (host.baseline.value) {
    text += "; baseline " + number_text(*host.baseline.value) + " samples/s";
  }
  return text;
}

// "0.2.0, commit 0123456789ab"
std::string version_text(const result::Provenance& provenance) {
  return one_line(provenance.tune_version) + ", commit " +
         or_unknown(one_line(provenance.commit.text));
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

std::string on_cpu_text(const machine::MachineFacts& machine) {
  return machine.no_gpu.empty() ? "" : "On the CPU: " + reason_of(machine.no_gpu) + ".";
}

std::string lost_gpu_warning(const machine::MachineFacts& machine) {
  return machine.no_gpu.empty()
             ? ""
             : "No GPU was used, although there is a driver: " + reason_of(machine.no_gpu) +
                   ". `tune doctor` says what to do.";
}

std::vector<std::pair<std::string, std::string>> environment_facts(const result::Result& result) {
  const result::Environment& machine = result.environment;
  const result::Data& data = machine.data;
  const auto or_not_shown = [](const result::KnownText& known) {
    return known.text.empty() ? "not shown by the kernel" : one_line(known.text);
  };
  std::vector<std::pair<std::string, std::string>> facts = {
      {"CPU", or_unknown(one_line(machine.cpu_model.text))},
      {"CPU flags that matter", machine.cpu_flags.empty() ? "none" : joined(machine.cpu_flags)},
      {"CPUs", cpus_text(machine)},
      {"memory", memory_text(machine)},
      {"frequency governor", or_not_shown(machine.governor)},
      {"transparent huge pages", or_not_shown(machine.transparent_huge_pages)},
      {"load before the run", number_text(machine.load1.value_or(NAN))},
      {"device", device_text(machine)},
      {"GPUs",
       machine.gpus.empty()
           ? "none seen"
           : listed(machine.gpus) +
                 (machine.device == "cpu" ? " (not used: the trials run on the CPU)" : "") +
                 (machine.used_gpu.empty() ? "" : "; used: " + one_line(machine.used_gpu))},
      {"system",
       or_unknown(one_line(machine.distribution.text)) + ", kernel " +
           or_unknown(one_line(machine.kernel.text))},
  };
  for (const result::Host& host : machine.hosts) {
    facts.emplace_back(host.shard ? "shard " + std::to_string(*host.shard) : "after the shards",
                       host_text(host));
  }
  if (has_answered(machine.worker)) {
    facts.emplace_back("libraries", library_text(machine.worker));
    facts.emplace_back("threads of one operator", std::to_string(machine.worker.intra_op_threads));
  } else {
    facts.emplace_back("libraries", "not known (no trial completed)");
  }
  facts.emplace_back("tune", version_text(result.provenance));
  facts.emplace_back("data", data_text(data));
  facts.emplace_back("data manifest (SHA-256)",
                     data.manifest_sha256.empty()
                         ? (data.source == "synthetic" ? "none: synthetic data" : "not known")
                         : one_line(data.manifest_sha256));
  return facts;
}

std::string environment_line(const result::Result& result) {
  const result::Environment& machine = result.environment;
  std::string line = or_unknown(one_line(machine.cpu_model.text)) + ", " +
                     counted(machine.cpus, "CPU") + ", " + memory_text(machine);
  if (has_answered(machine.worker)) {
    line += ", " + library_text(machine.worker);
  }
  return line + ", load " + number_text(machine.load1.value_or(NAN)) + " before the run, tune " +
         version_text(result.provenance);
}

}  // namespace tune::report
