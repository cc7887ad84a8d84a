#pragma once

#include "base/error.h"
#include "machine/machine_facts.h"
#include "trial/trial_reply.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tune::gate {

/// Two measurements that must not be compared: exit code 4 instead of 2.
class Incomparable : public Error {
 public:
  using Error::Error;
};

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

// What a Difference may be about, besides "device", "CPU", "CPUs", "GPUs" and "variables".
constexpr const char* kLibTorch = "LibTorch";
constexpr const char* kKernelsFor = "kernels for";
constexpr const char* kScenarioText = "text of the scenario";
constexpr const char* kData = "data";

/// One thing in which two fingerprints differ.
struct Difference {
  std::string what;
  std::string then, now;  ///< "" of texts and data, of which only checksums are known
};

/// Everything in which they differ. A version of LibTorch that one of them does not know is not
/// compared.
std::vector<Difference> differences(const Fingerprint& stored, const Fingerprint& now);

/// The first of them as a sentence: "it was measured with CPUs 4, now it is 2"; "" when they
/// compare.
std::string difference(const Fingerprint& stored, const Fingerprint& now);

/// Names a machine in a file name: 16 hexadecimal digits.
std::string machine_id(const machine::MachineFacts& machine);

/// The same for what `tune probe` measured, which holds whatever trials compute on.
std::string probed_machine_id(machine::MachineFacts machine);

void fields_of(Fields& fields, Fingerprint& print);

}  // namespace tune::gate
