#include "measure/gate/fingerprint.h"

#include "base/fields.h"
#include "base/sha256.h"

namespace tune::gate {

namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    text += (text.empty() ? "" : ", ") + word;
  }
  return text.empty() ? "none" : text;
}

}  // namespace

Fingerprint fingerprint(const machine::MachineFacts& machine,
                        const std::string& scenario_sha256,
                        const std::string& data_sha256) {
  Fingerprint print;
  print.device = machine.device;
  print.cpu_model = machine.cpu_model;
  print.cpus = machine.cpus;
  print.gpus = machine.gpus;
  print.variables = machine.variables;
  print.scenario_sha256 = scenario_sha256;
  print.data_sha256 = data_sha256;
  return print;
}

void add_worker(Fingerprint& fingerprint, const trial::WorkerFacts& facts) {
  fingerprint.torch_version = facts.torch_version;
  fingerprint.cpu_capability = facts.cpu_capability;
}

std::vector<Difference> differences(const Fingerprint& stored, const Fingerprint& now) {
  std::vector<Difference> found;
  const auto add = [&](const char* what, const std::string& then, const std::string& here) {
    if (then != here) {
      found.push_back({what, then, here});
    }
  };
  add("device", stored.device, now.device);
  add("CPU", stored.cpu_model, now.cpu_model);
  add("CPUs", std::to_string(stored.cpus), std::to_string(now.cpus));
  add("GPUs", joined(stored.gpus), joined(now.gpus));
  add("variables", joined(stored.variables), joined(now.variables));
  if (!stored.torch_version.empty() && !now.torch_version.empty()) {
    add(kLibTorch, stored.torch_version, now.torch_version);
    add(kKernelsFor, stored.cpu_capability, now.cpu_capability);
  }
  if (stored.scenario_sha256 != now.scenario_sha256) {
    found.push_back({kScenarioText, "", ""});
  }
  if (stored.data_sha256 != now.data_sha256) {
    found.push_back({kData, "", ""});
  }
  return found;
}

std::string difference(const Fingerprint& stored, const Fingerprint& now) {
  const std::vector<Difference> all = differences(stored, now);
  if (all.empty()) {
    return "";
  }
  const Difference& first = all.front();
  if (first.what == kScenarioText) {
    return "it was measured with another text of the scenario";
  }
  if (first.what == kData) {
    return "it was measured with other data";
  }
  return "it was measured with " + first.what + " " + first.then + ", now it is " + first.now;
}

std::string machine_id(const machine::MachineFacts& machine) {
  std::string text =
      machine.device + "\n" + machine.cpu_model + "\n" + std::to_string(machine.cpus);
  for (const auto* list : {&machine.gpus, &machine.variables}) {
    text += "\n" + joined(*list);
  }
  return sha256_hex(text).substr(0, 16);
}

std::string probed_machine_id(machine::MachineFacts machine) {
  machine.device = "cpu";
  return machine_id(machine);
}

void fields_of(Fields& fields, Fingerprint& print) {
  fields.text("device", print.device, 64);
  fields.text("cpu_model", print.cpu_model);
  fields.whole("cpus", print.cpus, {0, 1'000'000});
  fields.text_list("gpus", print.gpus, 1'000);
  fields.text_list("variables", print.variables, 1'000);
  fields.text("torch_version", print.torch_version);
  fields.text("cpu_capability", print.cpu_capability);
  fields.text("scenario_sha256", print.scenario_sha256, 64);
  fields.text("data_sha256", print.data_sha256, 64);
}

}  // namespace tune::gate
