#include "report/gate_record.h"

#include "base/error.h"
#include "report/gate_findings.h"
#include "report/markup.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace tune::report {

namespace {

// Of the scenario, at the begin of a line: a top-level member.
bool sets_seed(const std::string& scenario) {
  return scenario.starts_with("seed:") || scenario.find("\nseed:") != std::string::npos;
}

std::optional<std::string> known_text(const result::KnownText& known) {
  return known.text.empty() ? std::nullopt : std::optional(known.text);
}

machine::MachineFacts machine_of(const result::Environment& environment) {
  machine::MachineFacts machine;
  machine.cpu_model = environment.cpu_model.text;
  machine.cpu_flags = environment.cpu_flags;
  machine.cpus = environment.cpus;
  machine.logical_cpus = environment.logical_cpus;
  machine.physical_cores = environment.physical_cores;
  machine.cgroup_cpus = environment.cgroup_cpus;
  machine.memory_bytes = environment.memory_bytes.count.value_or(0);
  machine.memory_limit_bytes = environment.memory_limit_bytes.count.value_or(0);
  machine.governor = known_text(environment.governor);
  machine.transparent_huge_pages = known_text(environment.transparent_huge_pages);
  machine.load1 = environment.load1.value_or(NAN);
  machine.kernel = environment.kernel.text;
  machine.distribution = environment.distribution.text;
  machine.device = environment.device;
  machine.no_gpu = environment.no_gpu;
  machine.gpus = environment.gpus;
  return machine;
}

campaign::TrialRecord completed_trial(const result::Worker& worker) {
  trial::TrialReply reply;
  reply.facts.device = worker.device;
  reply.facts.torch_version = worker.torch_version;
  reply.facts.cpu_capability = worker.cpu_capability;
  reply.facts.jpeg_version = worker.jpeg_version;
  reply.facts.intra_op_threads = worker.intra_op_threads;
  campaign::TrialRecord trial;
  trial.outcome.kind = runner::OutcomeKind::completed;
  trial.outcome.reply = std::move(reply);
  return trial;
}

campaign::CampaignResult run_of(const result::Result& result) {
  const result::Data& data = result.environment.data;
  const result::Provenance& provenance = result.provenance;
  campaign::CampaignResult run;
  run.machine = machine_of(result.environment);
  run.tune_version = provenance.tune_version;
  run.commit = provenance.commit.text;
  run.command = provenance.command;
  run.seed = provenance.seed.value_or(0);
  run.scenario.has_seed = !provenance.seed;  // one that is not known cannot be asked for
  run.data.source = data.source;
  run.data.path = data.path;
  run.data.samples = data.samples.value_or(0);
  run.data.profile = data.profile;
  run.data.manifest_sha256 = data.manifest_sha256;
  if (!result.environment.worker.torch_version.empty()) {
    run.trials = {completed_trial(result.environment.worker)};
  }
  return run;
}

// One that was written before `headline` was.
std::string headline_of(const result::Gate& gate) {
  return gate.headline.empty() ? gate.verdict + ": " + gate.why : gate.headline;
}

// Whoever wants times ends early or has pairs. That counts alone were wanted does not stand in
// result.json: one of those that ended early is known by its command.
bool is_structural(const GateRecord& record) {
  const result::Gate& gate = record.gate();
  const bool has_times = gate.pair_count > 0 || !gate.lost_pairs.empty() ||
                         std::any_of(gate.rows.begin(),
                                     gate.rows.end(),
                                     [](const result::GateRow& row) { return row.is_measured; });
  const auto& command = record.run.command;
  return !has_times &&
         (gate.end == "judged" ||
          std::find(command.begin(), command.end(), "--structural-only") != command.end());
}

std::vector<std::string> fired_lines(const std::vector<result::Finding>& findings) {
  std::vector<std::string> lines;
  for (const result::Finding& each : findings) {
    if (each.state == "fired") {
      lines.push_back(finding_words(each.title, each.rule, each.severity, each.expression));
    }
  }
  return lines;
}

}  // namespace

GateRecord read_gate_record(std::string_view text, const std::string& where) {
  GateRecord record;
  record.result = result::read_result(text, where);
  const result::Result& result = record.result;
  if (result.kind != "gate" || !result.gate) {
    throw Error(Error::Parts{where,
                             "holds no verdict of a gate",
                             result.kind == "gate"
                                 ? "its member gate is missing"
                                 : "it is of kind '" + shortened(result.kind, 40) + "'",
                             ""});
  }
  record.headline = headline_of(record.gate());
  record.findings = fired_lines(result.findings);
  record.run = run_of(result);
  // It cannot be another one, or needs no word.
  record.run.scenario.has_seed |=
      record.gate().after_the_fact.has_value() || sets_seed(result.scenario.text);
  record.is_structural = is_structural(record);
  return record;
}

}  // namespace tune::report
