#pragma once

#include "result/number.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tune::result {

// Where the numbers come from: machine, scenario, command, every trial.

struct Scenario {
  std::string name, description;
  std::string file;
  std::string sha256;
  std::string text;  ///< as it is, also over several lines
};

/// The machine as the worker saw it.
struct Worker {
  std::string device, torch_version, cpu_capability, jpeg_version;
  std::int64_t intra_op_threads = 0;
  std::vector<std::int64_t> cpus;  ///< that it may use
  bool bf16_supported = false, fp16_supported = false;
};

struct Data {
  std::string source, path;
  std::optional<std::int64_t> samples;
  std::string profile;
  std::string manifest_sha256, manifest_reason;
};

/// What one shard measured, and where.
struct Host {
  std::optional<std::int64_t> shard;
  std::vector<std::string> hosts;
  std::string directory, started;
  std::vector<std::string> cells;
  std::optional<std::pair<std::int64_t, std::int64_t>> rounds;  ///< first and last
  Number baseline;
  std::string kernel, governor, transparent_huge_pages;
  std::optional<std::int64_t> memory_limit_bytes;
  double load1 = 0;
};

/// A field, and why it is not known.
struct KnownText {
  std::string text, reason;
};
struct KnownCount {
  std::optional<std::int64_t> count;
  std::string reason;
};

struct Environment {
  std::string device;
  std::string no_gpu;    ///< why the GPU is not used; "": left out
  std::string used_gpu;  ///< which of several; "": left out
  KnownText cpu_model;
  std::vector<std::string> cpu_flags;
  std::int64_t cpus = 0, logical_cpus = 0, physical_cores = 0;
  std::optional<double> cgroup_cpus;
  std::string cgroup_reason;
  KnownCount memory_bytes, memory_limit_bytes;
  KnownText governor, transparent_huge_pages;
  std::optional<double> load1;
  KnownText kernel, distribution;
  std::vector<std::string> gpus;
  Worker worker;  ///< without a device: no worker answered
  std::string worker_reason;
  Data data;
  std::vector<Host> hosts;  ///< of a joined run

  /// Not stored: name and value of every plain member as a file has them, "worker.cpus", sorted by
  /// name.
  std::vector<std::pair<std::string, std::string>> said;
};

struct Slice {
  std::int64_t steps = 0, samples = 0;
  double seconds = 0;
  bool counts = true;  ///< false: it was disturbed
};

/// Sums over the slices that count.
struct Measured {
  std::optional<double> throughput;  ///< samples/s
  std::int64_t steps = 0, samples = 0;
  double seconds = 0;
  std::optional<double> cpu_seconds;
  std::vector<Slice> slices;
  std::string slices_reason;  ///< why they are left out
};

struct Trial {
  std::string id, stage;
  std::int64_t round = 0, position = 0;
  std::string cell, outcome, reason, disturbance, steadiness, steadiness_why;
  std::optional<double> seconds;  ///< of the whole process
  bool is_measured = false;
  Measured measured;
};

struct Provenance {
  std::string tune_version;
  KnownText commit;
  std::vector<std::string> command;
  std::string directory;
  std::string started;            ///< ISO 8601
  std::optional<double> elapsed;  ///< seconds
  bool is_of_trials = true;       ///< false: an analysis, which has none of the following members
  std::int64_t sittings = 0;
  std::vector<std::string> overrides;
  std::optional<std::uint64_t> seed;
  std::string worker, worker_sha256;
  std::string order;
  bool complete = true;
  std::string incomplete_reason;
  std::string resume_time;  ///< `--time` that would do for the rest; "": none has to be given
  std::vector<Trial> trials;
};

/// "" when unknown.
std::string seed_text(const Provenance& provenance);

void fields_of(Fields& fields, Scenario& scenario);
void fields_of(Fields& fields, Environment& environment);
void fields_of(Fields& fields, Provenance& provenance);

}  // namespace tune::result
