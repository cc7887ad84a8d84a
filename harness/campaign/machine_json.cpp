#include "campaign/machine_json.h"

#include <nlohmann/json.hpp>

#include <limits>

namespace tune::campaign {

namespace {

constexpr trial::Range kCount = {0, std::numeric_limits<std::int64_t>::max()};
constexpr std::size_t kMostNames = 1000;

template <class Value>
nlohmann::json or_null(const std::optional<Value>& value) {
  return value ? nlohmann::json(*value) : nlohmann::json(nullptr);
}

std::optional<std::string> text_or_null(trial::JsonObject& object, const char* name) {
  return object.is_null(name) ? std::nullopt : std::optional(object.text(name));
}

}  // namespace

nlohmann::json to_json(const machine::MachineFacts& facts) {
  nlohmann::json json = {{"cpu_model", facts.cpu_model},
                         {"cpu_flags", facts.cpu_flags},
                         {"cpus", facts.cpus},
                         {"logical_cpus", facts.logical_cpus},
                         {"physical_cores", facts.physical_cores},
                         {"cgroup_cpus", or_null(facts.cgroup_cpus)},
                         {"memory_bytes", facts.memory_bytes},
                         {"memory_limit_bytes", facts.memory_limit_bytes},
                         {"governor", or_null(facts.governor)},
                         {"transparent_huge_pages", or_null(facts.transparent_huge_pages)},
                         {"numa_nodes", or_null(facts.numa_nodes)},
                         {"turbo", or_null(facts.turbo)},
                         {"load1", facts.load1},
                         {"kernel", facts.kernel},
                         {"distribution", facts.distribution},
                         {"device", facts.device},
                         {"gpus", facts.gpus},
                         {"variables", facts.variables}};
  if (!facts.no_gpu.empty()) {
    json["no_gpu"] = facts.no_gpu;
  }
  return json;
}

machine::MachineFacts read_machine(trial::JsonObject object) {
  machine::MachineFacts facts;
  facts.cpu_model = object.text("cpu_model");
  facts.cpu_flags = object.text_list("cpu_flags", kMostNames);
  facts.cpus = object.whole("cpus", kCount);
  facts.logical_cpus = object.whole("logical_cpus", kCount);
  facts.physical_cores = object.whole("physical_cores", kCount);
  if (!object.is_null("cgroup_cpus")) {
    facts.cgroup_cpus = object.real("cgroup_cpus", 0, 1e9);
  }
  facts.memory_bytes = object.whole("memory_bytes", kCount);
  facts.memory_limit_bytes = object.whole("memory_limit_bytes", kCount);
  facts.governor = text_or_null(object, "governor");
  facts.transparent_huge_pages = text_or_null(object, "transparent_huge_pages");
  facts.load1 = object.real("load1", 0, 1e9);
  facts.kernel = object.text("kernel");
  facts.distribution = object.text("distribution");
  facts.device = object.text("device");
  if (object.has("no_gpu")) {
    facts.no_gpu = object.text("no_gpu");
  }
  facts.gpus = object.text_list("gpus", kMostNames);
  if (object.has("variables")) {  // ledgers of before lack them
    facts.variables = object.text_list("variables", kMostNames);
  }
  if (object.has("numa_nodes") && !object.is_null("numa_nodes")) {
    facts.numa_nodes = object.whole("numa_nodes", {1, 65'536});
  }
  if (object.has("turbo") && !object.is_null("turbo")) {
    facts.turbo = object.flag("turbo");
  }
  return facts;
}

}  // namespace tune::campaign
