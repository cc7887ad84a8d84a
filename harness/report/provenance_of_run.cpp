// Where the numbers of a run come from, as its result.json says it.

#include "base/units.h"
#include "measure/campaign/run_warnings.h"
#include "measure/campaign/taint.h"
#include "report/number_text.h"
#include "report/recorded_script.h"
#include "report/result_of.h"
#include "report/run_facts.h"

#include <cstddef>
#include <utility>

namespace tune::report {

namespace {

using campaign::CampaignResult;

constexpr std::size_t kMostSlices = 64;  // of a trial; the rest is in its reply.json

double to_seconds(std::int64_t ns) {
  return static_cast<double>(ns) * 1e-9;
}

std::optional<std::int64_t> count_or_nothing(std::int64_t count) {
  return count > 0 ? std::optional(count) : std::nullopt;
}

result::Worker worker_of(const CampaignResult& run) {
  const trial::WorkerFacts* const facts = worker_facts(run);
  if (facts == nullptr) {
    return {};
  }
  return {.device = facts->device,
          .torch_version = facts->torch_version,
          .cpu_capability = facts->cpu_capability,
          .jpeg_version = facts->jpeg_version,
          .intra_op_threads = facts->intra_op_threads,
          .cpus = facts->cpus,
          .bf16_supported = facts->bf16_supported,
          .fp16_supported = facts->fp16_supported};
}

std::optional<std::int64_t> samples_of(const CampaignResult& run) {
  const trial::SeenScript* const seen = typical_script(run);
  return seen == nullptr ? count_or_nothing(run.data.samples) : seen->epoch_samples;
}

result::Data data_of(const CampaignResult& run) {
  const trial::Data& data = run.data;
  return {.source = data.source,
          .path = data.path,
          .samples = samples_of(run),
          .profile = data.profile,
          .manifest_sha256 = data.manifest_sha256,
          .manifest_reason = data.source == "synthetic" ? "synthetic data has no files"
                                                        : "the data set has no manifest"};
}

// A part that continued a joined run has the machine of the result.
result::Host host_of(const campaign::MeasuredPart& part, const machine::MachineFacts& otherwise) {
  const machine::MachineFacts& machine = part.machine ? *part.machine : otherwise;
  result::Host host{.shard = count_or_nothing(part.shard),
                    .hosts = part.hosts,
                    .directory = part.directory,
                    .started = part.started_utc,
                    .cells = part.cells,
                    .kernel = machine.kernel,
                    .governor = machine.governor.value_or(""),
                    .transparent_huge_pages = machine.transparent_huge_pages.value_or(""),
                    .memory_limit_bytes = count_or_nothing(machine.memory_limit_bytes),
                    .load1 = machine.load1};
  if (part.first_round > 0) {
    host.rounds.emplace(part.first_round, part.last_round);
  }
  if (part.baseline) {
    host.baseline = number_of(*part.baseline, "samples/s");
  }
  return host;
}

// Sums over the slices that count.
result::Measured measured_of(const trial::TrialReply& reply) {
  const std::vector<trial::Slice>& slices = reply.slices;
  const campaign::CleanRate clean = campaign::clean_rate(reply);
  const auto rate = clean.rate ? clean.rate : trial::throughput(reply);
  result::Measured measured{.throughput = finite(rate)};
  std::int64_t wall_ns = 0, cpu_ns = 0;
  for (std::size_t i = 0; i < slices.size(); ++i) {
    const trial::Slice& slice = slices[i];
    const bool counts = !clean.rate || clean.is_clean[i];  // all of them where none is clean
    if (counts) {
      measured.steps += slice.steps;
      measured.samples += slice.samples;
      wall_ns += slice.wall_ns;
      cpu_ns += slice.disturbance.own_cpu_ns;
    }
    measured.slices.push_back({.steps = slice.steps,
                               .samples = slice.samples,
                               .seconds = to_seconds(slice.wall_ns),
                               .counts = counts});
  }
  measured.seconds = to_seconds(wall_ns);
  if (cpu_ns > 0) {
    measured.cpu_seconds = to_seconds(cpu_ns);
  }
  if (slices.size() > kMostSlices) {
    measured.slices.clear();
    measured.slices_reason = "more than " + std::to_string(kMostSlices) + ": see its reply.json";
  }
  return measured;
}

result::Trial trial_of(const campaign::TrialRecord& trial) {
  const campaign::Steadiness* const steady = trial.steadiness ? &*trial.steadiness : nullptr;
  const auto& reply = trial.outcome.reply;
  const bool is_measured = reply && !reply->slices.empty();
  return {.id = trial.spec.id,
          .stage = trial.stage,
          .round = trial.round,
          .position = trial.position,
          .cell = trial.spec.cell,
          .outcome = std::string(runner::name(trial.outcome.kind)),
          .reason = trial.outcome.reason,
          .disturbance = campaign::disturbance_text(trial),
          .steadiness = steady != nullptr ? steady->label() : "",
          .steadiness_why = steady != nullptr ? steady->why() : "",
          .seconds = to_seconds(trial.outcome.end_ns - trial.outcome.start_ns),
          .is_measured = is_measured,
          .measured = is_measured ? measured_of(*reply) : result::Measured()};
}

}  // namespace

result::Scenario scenario_of(const scenario::Scenario& scenario) {
  return {.name = scenario.name,
          .description = scenario.description,
          .file = scenario.file.string(),
          .sha256 = scenario.sha256,
          .text = scenario.text};
}

result::Environment environment_of(const CampaignResult& run) {
  const machine::MachineFacts& machine = run.machine;
  result::Environment environment{
      .device = machine.device,
      .no_gpu = machine.no_gpu,
      .used_gpu = machine.used_gpu,
      .cpu_model = {machine.cpu_model, "the kernel does not say"},
      .cpu_flags = machine.cpu_flags,
      .cpus = machine.cpus,
      .logical_cpus = machine.logical_cpus,
      .physical_cores = machine.physical_cores,
      .cgroup_cpus = machine.cgroup_cpus,
      .cgroup_reason = "no limit is set",
      .memory_bytes = {count_or_nothing(machine.memory_bytes), "cannot be read"},
      .memory_limit_bytes = {count_or_nothing(machine.memory_limit_bytes), "cannot be read"},
      .governor = {machine.governor.value_or(""),
                   "the kernel shows none, as in most virtual machines"},
      .transparent_huge_pages = {machine.transparent_huge_pages.value_or(""),
                                 "the kernel does not say"},
      .load1 = machine.load1,
      .kernel = {machine.kernel, "cannot be read"},
      .distribution = {machine.distribution, "cannot be read"},
      .gpus = machine.gpus,
      .worker = worker_of(run),
      .worker_reason = "no trial completed",
      .data = data_of(run)};
  for (const campaign::MeasuredPart& part : run.parts) {
    environment.hosts.push_back(host_of(part, machine));
  }
  return environment;
}

result::Provenance provenance_of(const CampaignResult& run) {
  result::Provenance provenance{
      .tune_version = run.tune_version,
      .commit = {run.commit, "not built from a repository"},
      .command = run.command,
      .directory = run.directory.string(),
      .started = run.started_utc,
      .elapsed = to_seconds(run.elapsed_ns),
      .sittings = run.sittings,
      .overrides = run.overrides,
      .seed = run.seed,
      .worker = run.worker,
      .worker_sha256 = run.worker_sha256,
      .order = "random in each round, from the seed; trials are listed in the order run",
      .complete = run.complete,
      .incomplete_reason = run.incomplete_reason,
      .resume_time = run.budget_wanted_ns ? typed_time(*run.budget_wanted_ns) : ""};
  for (const campaign::TrialRecord& trial : run.trials) {
    provenance.trials.push_back(trial_of(trial));
  }
  return provenance;
}

}  // namespace tune::report
