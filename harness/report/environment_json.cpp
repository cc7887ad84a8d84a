#include "campaign/disturbance.h"
#include "report/json_parts.h"
#include "report/run_facts.h"

#include <nlohmann/json.hpp>

namespace tune::report {

namespace {

using Json = nlohmann::ordered_json;
using campaign::CampaignResult;

Json count_or_null(std::int64_t count) {
  return count > 0 ? Json(count) : Json(nullptr);
}

Json worker_json(const CampaignResult& result) {
  const trial::WorkerFacts* const facts = worker_facts(result);
  if (facts == nullptr) {
    return nullptr;
  }
  Json worker;
  worker["device"] = facts->device;
  worker["torch_version"] = text_or_null(facts->torch_version);
  worker["cpu_capability"] = text_or_null(facts->cpu_capability);
  worker["jpeg_version"] = text_or_null(facts->jpeg_version);
  worker["intra_op_threads"] = facts->intra_op_threads;
  worker["cpus"] = facts->cpus;
  worker["bf16_supported"] = facts->bf16_supported;
  worker["fp16_supported"] = facts->fp16_supported;
  return worker;
}

Json data_json(const CampaignResult& result) {
  const trial::Data& data = result.data;
  Json json;
  json["source"] = data.source;
  json["path"] = text_or_null(data.path);
  json["samples"] = count_or_null(data.samples);
  json["profile"] = text_or_null(data.profile);
  put_or_reason(
      json,
      "manifest_sha256",
      text_or_null(data.manifest_sha256),
      data.source == "synthetic" ? "synthetic data has no files" : "the data set has no manifest");
  return json;
}

Json trials_json(const CampaignResult& result) {
  Json trials = Json::array();
  for (const campaign::TrialRecord& trial : result.trials) {
    const campaign::Steadiness* const steady = trial.steadiness ? &*trial.steadiness : nullptr;
    const auto wall_ns = trial.outcome.end_ns - trial.outcome.start_ns;
    trials.push_back({{"id", trial.spec.id},
                      {"stage", trial.stage},
                      {"round", trial.round},
                      {"position", trial.position},
                      {"cell", trial.spec.cell},
                      {"outcome", runner::name(trial.outcome.kind)},
                      {"reason", text_or_null(trial.outcome.reason)},
                      {"disturbance", text_or_null(campaign::disturbance_text(trial))},
                      {"steadiness", text_or_null(steady ? steady->label() : "")},
                      {"steadiness_why", text_or_null(steady ? steady->why() : "")},
                      {"seconds", static_cast<double>(wall_ns) * 1e-9},
                      {"measured", measured_json(trial)}});
  }
  return trials;
}

// Of a part that went on with a joined run the machine is that of the result.
Json hosts_json(const CampaignResult& result) {
  Json hosts = Json::array();
  for (const campaign::MeasuredPart& part : result.parts) {
    const machine::MachineFacts& machine = part.machine ? *part.machine : result.machine;
    Json json;
    json["shard"] = count_or_null(part.shard);
    json["hosts"] = part.hosts;
    json["directory"] = text_or_null(part.directory);
    json["started"] = text_or_null(part.started_utc);
    json["cells"] = part.cells;
    json["rounds"] =
        part.first_round > 0 ? Json::array({part.first_round, part.last_round}) : Json(nullptr);
    json["baseline"] = part.baseline ? to_json(*part.baseline, "samples/s") : Json(nullptr);
    json["kernel"] = text_or_null(machine.kernel);
    json["governor"] = text_or_null(machine.governor.value_or(""));
    json["transparent_huge_pages"] = text_or_null(machine.transparent_huge_pages.value_or(""));
    json["memory_limit_bytes"] = count_or_null(machine.memory_limit_bytes);
    json["load1"] = machine.load1;
    hosts.push_back(std::move(json));
  }
  return hosts;
}

}  // namespace

Json environment_json(const CampaignResult& result) {
  const machine::MachineFacts& machine = result.machine;
  Json json;
  json["device"] = machine.device;
  if (!machine.no_gpu.empty()) {
    json["no_gpu"] = machine.no_gpu;
  }
  put_or_reason(json, "cpu_model", text_or_null(machine.cpu_model), "the kernel does not say");
  json["cpu_flags"] = machine.cpu_flags;
  json["cpus"] = machine.cpus;
  json["logical_cpus"] = machine.logical_cpus;
  json["physical_cores"] = machine.physical_cores;
  put_or_reason(json,
                "cgroup_cpus",
                machine.cgroup_cpus ? Json(*machine.cgroup_cpus) : Json(nullptr),
                "no limit is set");
  put_or_reason(json, "memory_bytes", count_or_null(machine.memory_bytes), "cannot be read");
  put_or_reason(
      json, "memory_limit_bytes", count_or_null(machine.memory_limit_bytes), "cannot be read");
  put_or_reason(json,
                "governor",
                text_or_null(machine.governor.value_or("")),
                "the kernel shows none, as in most virtual machines");
  put_or_reason(json,
                "transparent_huge_pages",
                text_or_null(machine.transparent_huge_pages.value_or("")),
                "the kernel does not say");
  json["load1"] = machine.load1;
  put_or_reason(json, "kernel", text_or_null(machine.kernel), "cannot be read");
  put_or_reason(json, "distribution", text_or_null(machine.distribution), "cannot be read");
  json["gpus"] = machine.gpus;
  put_or_reason(json, "worker", worker_json(result), "no trial completed");
  json["data"] = data_json(result);
  if (!result.parts.empty()) {
    json["hosts"] = hosts_json(result);
  }
  return json;
}

Json provenance_json(const CampaignResult& result) {
  Json json;
  json["tune_version"] = result.tune_version;
  put_or_reason(json, "commit", text_or_null(result.commit), "not built from a repository");
  json["command"] = result.command;
  json["directory"] = result.directory.string();
  json["started"] = result.started_utc;
  json["elapsed"] = static_cast<double>(result.elapsed_ns) * 1e-9;
  json["sittings"] = result.sittings;
  json["overrides"] = result.overrides;
  json["seed"] = result.seed;
  json["worker"] = text_or_null(result.worker);
  json["worker_sha256"] = text_or_null(result.worker_sha256);
  json["order"] = "random in each round, from the seed; trials are listed in the order run";
  json["complete"] = result.complete;
  json["incomplete_reason"] = text_or_null(result.incomplete_reason);
  json["trials"] = trials_json(result);
  return json;
}

}  // namespace tune::report
