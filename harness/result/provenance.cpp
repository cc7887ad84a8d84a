#include "result/provenance.h"

#include "base/fields.h"
#include "base/text.h"
#include "base/units.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace tune::result {

namespace {

using nlohmann::json;

constexpr std::size_t kLongestValue = 300, kMostFacts = 10'000;
constexpr int kDeepestFacts = 3;

// Plain values for people, lists of them with commas; "" for everything else.
std::string plain_text(const json& value) {
  if (value.is_string()) {
    return cleaned(value.get_ref<const std::string&>());
  }
  if (value.is_array() && value.empty()) {
    return "none";
  }
  if (value.is_array() && value.front().is_structured()) {
    return std::to_string(value.size()) + (value.size() == 1 ? " item" : " items");
  }
  if (value.is_array()) {
    std::string text;
    for (const json& item : value) {
      text += (text.empty() ? "" : ", ") +
              (item.is_structured() ? std::string("...") : plain_text(item));
    }
    return shortened(text, kLongestValue);
  }
  return value.is_object() || value.is_null() ? "" : value.dump();
}

// A null member has its reason in another member.
void add_said(const json& object,
              const std::string& place,
              int depth,
              std::vector<std::pair<std::string, std::string>>& said) {
  if (!object.is_object() || depth > kDeepestFacts) {
    return;
  }
  for (const auto& [key, value] : object.items()) {
    const std::string name = (place.empty() ? "" : place + ".") + shortened(key, kLongestValue);
    if (value.is_object()) {
      add_said(value, name, depth + 1, said);
    } else if (!value.is_null() && said.size() < kMostFacts) {
      const bool is_size = key.ends_with("_bytes") && value.is_number_integer();
      said.emplace_back(name,
                        is_size ? format_bytes(value.get<std::int64_t>())
                                : shortened(plain_text(value), kLongestValue));
    }
  }
}

void known_count(Fields& fields, const char* name, KnownCount& known) {
  fields.whole_or_reason(name, known.count, known.reason);
}

void known_text(Fields& fields, const char* name, KnownText& known) {
  fields.text_or_reason(name, known.text, known.reason);
}

void rounds(Fields& fields, const char* name, Host& host) {
  if (fields.output() != nullptr && !host.rounds) {
    fields.nothing(name);
    return;
  }
  std::vector<std::int64_t> ends;
  if (host.rounds) {
    ends = {host.rounds->first, host.rounds->second};
  }
  fields.whole_list(name, ends);
  if (ends.size() == 2) {
    host.rounds.emplace(ends[0], ends[1]);
  }
}

}  // namespace

void fields_of(Fields& fields, Scenario& scenario) {
  fields.text("name", scenario.name);
  fields.text("description", scenario.description);
  fields.text("file", scenario.file);
  fields.text("sha256", scenario.sha256);
  fields.whole_text("text", scenario.text);
}

static void fields_of(Fields& fields, Worker& worker) {
  fields.text("device", worker.device);
  fields.text_or_null("torch_version", worker.torch_version);
  fields.text_or_null("cpu_capability", worker.cpu_capability);
  fields.text_or_null("jpeg_version", worker.jpeg_version);
  fields.whole("intra_op_threads", worker.intra_op_threads);
  fields.whole_list("cpus", worker.cpus);
  fields.flag("bf16_supported", worker.bf16_supported);
  fields.flag("fp16_supported", worker.fp16_supported);
}

static void fields_of(Fields& fields, Data& data) {
  fields.text("source", data.source);
  fields.text_or_null("path", data.path);
  fields.whole("samples", data.samples);
  fields.text_or_null("profile", data.profile);
  fields.text_or_reason("manifest_sha256", data.manifest_sha256, data.manifest_reason);
}

static void fields_of(Fields& fields, Host& host) {
  fields.whole("shard", host.shard);
  fields.text_list("hosts", host.hosts);
  fields.text_or_null("directory", host.directory);
  fields.text_or_null("started", host.started);
  fields.text_list("cells", host.cells);
  rounds(fields, "rounds", host);
  number_or_null(fields, "baseline", host.baseline);
  fields.text_or_null("kernel", host.kernel);
  fields.text_or_null("governor", host.governor);
  fields.text_or_null("transparent_huge_pages", host.transparent_huge_pages);
  fields.whole("memory_limit_bytes", host.memory_limit_bytes);
  fields.real("load1", host.load1);
}

void fields_of(Fields& fields, Environment& environment) {
  fields.text("device", environment.device);
  if (fields.has("no_gpu", !environment.no_gpu.empty())) {
    fields.text("no_gpu", environment.no_gpu);
  }
  if (fields.has("used_gpu", !environment.used_gpu.empty())) {
    fields.text("used_gpu", environment.used_gpu);
  }
  known_text(fields, "cpu_model", environment.cpu_model);
  fields.text_list("cpu_flags", environment.cpu_flags);
  fields.whole("cpus", environment.cpus);
  fields.whole("logical_cpus", environment.logical_cpus);
  fields.whole("physical_cores", environment.physical_cores);
  fields.real_or_reason("cgroup_cpus", environment.cgroup_cpus, environment.cgroup_reason);
  known_count(fields, "memory_bytes", environment.memory_bytes);
  known_count(fields, "memory_limit_bytes", environment.memory_limit_bytes);
  known_text(fields, "governor", environment.governor);
  known_text(fields, "transparent_huge_pages", environment.transparent_huge_pages);
  fields.real("load1", environment.load1);
  known_text(fields, "kernel", environment.kernel);
  known_text(fields, "distribution", environment.distribution);
  fields.text_list("gpus", environment.gpus);
  bool has_worker = !environment.worker.device.empty();
  fields.reasoned("worker", has_worker, environment.worker_reason, [&environment](Fields& worker) {
    fields_of(worker, environment.worker);
  });
  fields.record("data", environment.data);
  if (fields.has("hosts", !environment.hosts.empty())) {
    fields.list("hosts", environment.hosts);
  }
  if (const json* const stored = fields.stored()) {
    add_said(*stored, "", 0, environment.said);
  }
}

static void fields_of(Fields& fields, Slice& slice) {
  fields.whole("steps", slice.steps);
  fields.whole("samples", slice.samples);
  fields.real("seconds", slice.seconds);
  fields.flag("counts", slice.counts);
}

static void fields_of(Fields& fields, Measured& measured) {
  fields.real("throughput", measured.throughput);
  fields.whole("steps", measured.steps);
  fields.whole("samples", measured.samples);
  fields.real("seconds", measured.seconds);
  fields.real("cpu_seconds", measured.cpu_seconds);
  fields.list_or_reason("slices", measured.slices, measured.slices_reason);
}

static void fields_of(Fields& fields, Trial& trial) {
  fields.text("id", trial.id);
  fields.text("stage", trial.stage);
  fields.whole("round", trial.round);
  fields.whole("position", trial.position);
  fields.text("cell", trial.cell);
  fields.text("outcome", trial.outcome);
  fields.text_or_null("reason", trial.reason);
  fields.text_or_null("disturbance", trial.disturbance);
  fields.text_or_null("steadiness", trial.steadiness);
  fields.text_or_null("steadiness_why", trial.steadiness_why);
  fields.real("seconds", trial.seconds);
  fields.object_or_null("measured", trial.is_measured, [&trial](Fields& measured) {
    fields_of(measured, trial.measured);
  });
}

std::string seed_text(const Provenance& provenance) {
  return provenance.seed ? std::to_string(*provenance.seed) : "";
}

void fields_of(Fields& fields, Provenance& provenance) {
  fields.text("tune_version", provenance.tune_version);
  known_text(fields, "commit", provenance.commit);
  fields.text_list("command", provenance.command);
  fields.text("directory", provenance.directory);
  fields.text("started", provenance.started);
  fields.real("elapsed", provenance.elapsed);
  provenance.is_of_trials = fields.has("trials", provenance.is_of_trials);
  if (fields.writes() && !provenance.is_of_trials) {
    return;
  }
  fields.whole("sittings", provenance.sittings);
  fields.text_list("overrides", provenance.overrides);
  fields.seed("seed", provenance.seed);
  fields.text_or_null("worker", provenance.worker);
  fields.text_or_null("worker_sha256", provenance.worker_sha256);
  fields.text("order", provenance.order);
  fields.flag("complete", provenance.complete);
  fields.text_or_null("incomplete_reason", provenance.incomplete_reason);
  fields.text_or_null("resume_time", provenance.resume_time);
  fields.list("trials", provenance.trials);
}

}  // namespace tune::result
