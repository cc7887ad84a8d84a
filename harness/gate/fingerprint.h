#pragma once

#include "machine/machine_facts.h"
#include "trial/json_object.h"
#include "trial/trial_reply.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace tune::gate {

/// What must be equal for two absolute numbers to compare.
struct Fingerprint {
  std::string device, cpu_model;
  std::int64_t cpus = 0;
  std::vector<std::string> gpus, variables;
  std::string torch_version, cpu_capability;  ///< "" where no worker has told yet
  std::string scenario_sha256, data_sha256;
  bool operator==(const Fingerprint&) const = default;
};

Fingerprint fingerprint(const machine::MachineFacts& machine,
                        const std::string& scenario_sha256,
                        const std::string& data_sha256);

/// Takes in what a worker says of itself.
void add_worker(Fingerprint& fingerprint, const trial::WorkerFacts& facts);

/// The first thing in which they differ, as a sentence: "it was measured on 4 CPUs, here are 2"; ""
/// when they compare. What one of them does not know is not compared.
std::string difference(const Fingerprint& stored, const Fingerprint& now);

/// Names a machine in a file name: 16 hexadecimal digits.
std::string machine_id(const machine::MachineFacts& machine);

nlohmann::json to_json(const Fingerprint& fingerprint);
Fingerprint read_fingerprint(trial::JsonObject object);

}  // namespace tune::gate
