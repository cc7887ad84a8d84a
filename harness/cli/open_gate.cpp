#include "cli/open_gate.h"

#include "base/error.h"
#include "base/sha256.h"
#include "base/units.h"
#include "cli/embedded_texts.h"
#include "cli/gate_request.h"
#include "cli/open_run.h"
#include "cli/prepare_inputs.h"
#include "cli/trial_machine.h"
#include "measure/campaign/settings.h"
#include "measure/gate/count_steps.h"
#include "measure/gate/policy.h"
#include "scenario/machine.h"
#include "scenario/read_script.h"
#include "scenario/scenario.h"
#include "trial/environment_knob.h"
#include "trial/knob_catalog.h"

#include <algorithm>
#include <iterator>
#include <random>

namespace tune::cli {

namespace {

bool is_knob(const std::string& assignment) {
  const std::string key = assignment.substr(0, assignment.find('='));
  return trial::is_knob(key);
}

// Settings other than knobs hold for both sides.
void apply_policies(scenario::Scenario& scenario, const std::vector<std::string>& sets) {
  for (const std::string& assignment : sets) {
    if (!is_knob(assignment)) {
      campaign::apply_override(scenario, assignment);
    }
  }
}

trial::Measure measure_of(const scenario::Scenario& scenario, const gate::Policy& policy) {
  trial::Measure measure = scenario.measure;
  measure.structure = true;
  if (policy.structural_only) {
    return gate::counting_measure(measure);
  }
  measure.instructions = gate::gates(policy, "instructions");
  measure.sentinel = true;
  measure.spare_slices = 2 * measure.slices;
  measure.find_warmup = scenario.warmup_is_auto;
  if (measure.find_warmup) {
    measure.warmup_limit_ns = std::min(measure.warmup_limit_ns, scenario.trial_timeout_ns / 2);
  }
  return measure;
}

gate::Side side_of(const scenario::Scenario& scenario,
                   const GateSource& source,
                   const std::string& name,
                   const trial::Measure& measure,
                   std::int64_t timeout_ns) {
  gate::Side side;
  side.name = name;
  side.spec.cell = name;
  side.commit = source.commit;
  side.files = source.files;
  side.spec.workload = scenario.workload;
  side.spec.data = scenario.data;
  side.spec.knobs = scenario.baseline;
  side.spec.measure = measure;
  side.spec.timeout_ns = timeout_ns;
  return side;
}

std::string words_of(const std::vector<std::string>& knobs) {
  std::string words;
  for (const std::string& knob : knobs) {
    words += (words.empty() ? "" : " ") + knob;
  }
  return words;
}

void enter(const GateSources& sources, const char* side) {
  if (sources.enter) {
    sources.enter(side);
  }
}

// Before data are made: what cannot be run must not wait for them.
void prepare_models(gate::GateResult& result,
                    const GateRequest& request,
                    const GateSources& sources,
                    const std::filesystem::path& worker,
                    const std::function<void(const std::string&)>& show) {
  for (gate::Side* const side : {&result.candidate, &result.baseline}) {
    const bool is_baseline = side == &result.baseline;
    const bool is_other = is_baseline && sources.baseline.has_value();
    enter(sources, is_other ? "baseline" : "candidate");
    ModelCheck check;
    const scenario::Scenario& scenario =
        (is_other ? *sources.baseline : sources.candidate).scenario;
    check.scenario = scenario.file;
    check.worker = worker;
    check.show = show;
    prepare_model(side->spec.workload, scenario.model_place);
    check.workload = side->spec.workload;
    check.data = side->spec.data;
    check.knobs = side->spec.knobs;
    check.timeout_ns = side->spec.timeout_ns;
    const trial::TrialSpec& candidate = result.candidate.spec;
    const bool is_known = is_baseline && side->spec.workload == candidate.workload &&
                          side->spec.knobs == candidate.knobs;
    const bool is_run = !is_baseline || request.baseline.empty();  // else it is a kept one
    if (is_run && !is_known) {
      check_model(check);
    }
  }
}

// Either side may be another scenario, and name another device.
void settle_devices(gate::GateResult& result) {
  for (trial::TrialSpec* const spec : {&result.candidate.spec, &result.baseline.spec}) {
    const machine::MachineFacts machine = machine_of_trials(spec->workload);
    require_device(machine);
    spec->workload.device = machine.device;
  }
  scenario::settle_device(result.run.scenario, result.run.machine.device);
}

bool equal_sides(const gate::GateResult& result) {
  const trial::TrialSpec& a = result.baseline.spec;
  const trial::TrialSpec& b = result.candidate.spec;
  return a.workload == b.workload && a.data == b.data && a.knobs == b.knobs &&
         a.measure == b.measure && result.baseline.files == result.candidate.files;
}

// What tune does in its own models' steps it cannot do in those of a script; and what a script does
// by itself must be known before a setting can be another one.
void check_script(const scenario::Scenario& scenario,
                  const GateRequest& request,
                  bool compares_commits) {
  const std::string file = scenario.file.string();
  if (!request.inject.empty() || request.structural_only) {
    throw Error(Error::Parts{request.structural_only ? "--structural-only" : "--inject",
                             "does not go with the script of " + file,
                             request.structural_only ? "nobody counts the operators of its steps"
                                                     : "nobody can slow its steps down",
                             ""});
  }
  if (!compares_commits) {
    scenario::expect_observed(scenario);
  }
}

// Its time of an epoch is known where somebody asks for it by name.
void leave_epoch_out(const GateRequest& request,
                     const scenario::GateSection& section,
                     gate::Policy& policy) {
  if (request.metrics.empty() && section.metrics.empty()) {
    std::erase_if(policy.budgets,
                  [](const gate::Budget& budget) { return budget.metric == "epoch_time"; });
  }
}

}  // namespace

GateSources read_gate_sources(const GateRequest& request) {
  if (!request.against.empty() && !request.baseline.empty()) {
    throw Error(Error::Parts{"--against " + request.against,
                             "does not go with --baseline",
                             "there is one baseline",
                             ""});
  }
  GateSources sources;
  sources.candidate.scenario = scenario::load_scenario(request.file);
  if (!request.against.empty()) {
    sources.candidate.words = request.file;
    sources.baseline =
        GateSource{.scenario = scenario::load_scenario(request.against), .words = request.against};
  }
  return sources;
}

gate::GateResult read_gate_request(const GateRequest& request, const GateSources& sources) {
  gate::GateResult result;
  scenario::Scenario& scenario = result.run.scenario;
  scenario = sources.candidate.scenario;
  std::vector<std::string> knobs;
  std::copy_if(request.sets.begin(), request.sets.end(), std::back_inserter(knobs), is_knob);
  apply_policies(scenario, request.sets);
  if (!request.seed.empty()) {
    campaign::apply_override(scenario, "seed=" + request.seed);
  }
  scenario::Scenario candidate = scenario;
  for (const std::string& assignment : knobs) {
    campaign::apply_override(candidate, assignment);
  }
  result.policy = read_policy(request, scenario.gate);
  if (scenario.workload.script.exists()) {
    check_script(scenario, request, !sources.candidate.commit.empty());
    leave_epoch_out(request, scenario.gate, result.policy);
  }
  result.looks = gate::look_schedule(result.policy);
  scenario.measure.slices =
      request.slices.value_or(scenario.gate.slices.value_or(scenario.measure.slices));
  const trial::Measure measure = measure_of(scenario, result.policy);
  const std::string as_it_is = "the scenario's baseline setting";
  const std::int64_t timeout_ns = scenario.trial_timeout_ns;
  result.candidate = side_of(candidate, sources.candidate, "candidate", measure, timeout_ns);
  result.candidate.words = knobs.empty() ? as_it_is : words_of(knobs);
  result.candidate.is_own_setting = knobs.empty() && request.inject.empty();
  if (sources.baseline) {
    const GateSource& source = *sources.baseline;
    scenario::Scenario other = source.scenario;
    apply_policies(other, request.sets);
    result.baseline = side_of(other, source, "baseline", measure, timeout_ns);
    result.baseline.words = source.words;
    result.candidate.words =
        sources.candidate.words + (knobs.empty() ? "" : " with " + words_of(knobs));
  } else {
    result.baseline = side_of(scenario, sources.candidate, "baseline", measure, timeout_ns);
    result.baseline.words = as_it_is;
    result.baseline.is_own_setting = request.baseline.empty();  // else whatever was kept
  }
  if (!request.inject.empty()) {
    const auto ratio = parse_ratio(request.inject);
    if (!ratio || *ratio <= 0 || *ratio > 1) {
      throw Error(Error::Parts{
          "--inject " + request.inject, "is not a slowdown", "above 0 and at most 100%", "10%"});
    }
    result.candidate.spec.measure.delay_ratio = *ratio;
    result.candidate.words += ", slowed down by " + request.inject + " on purpose";
  }
  result.baseline_name = request.baseline;
  result.baseline_is_file = request.baseline_is_file;
  result.run.overrides = request.sets;
  result.run.command = request.words;
  return result;
}

void prepare_gate(gate::GateResult& result,
                  const GateRequest& request,
                  const GateSources& sources,
                  const std::filesystem::path& worker,
                  const std::function<void(const std::string&)>& show) {
  campaign::CampaignResult& run = result.run;
  run.seed = run.scenario.has_seed ? run.scenario.seed : std::random_device()();
  run.scenario.seed = run.seed;
  run.machine = machine_of_trials(run.scenario.workload);
  settle_devices(result);
  prepare_models(result, request, sources, worker, show);
  enter(sources, "candidate");
  PreparedData prepared = prepare_data(run.scenario, show);
  run.data = std::move(prepared.data);
  run.scenario.notes.insert(run.scenario.notes.end(), prepared.notes.begin(), prepared.notes.end());
  result.candidate.spec.data = run.data;
  result.baseline.spec.data = run.data;
  if (sources.baseline) {
    enter(sources, "baseline");
    result.baseline.spec.data = prepare_data(sources.baseline->scenario, show).data;
  }
  run.tune_version = version();
  run.commit = commit();
  run.worker = worker.string();
  run.worker_sha256 = sha256_file_hex(worker);
  run.sittings = 1;
  result.baseline.worker_sha256 = result.candidate.worker_sha256 = run.worker_sha256;
  result.sides_are_equal = request.baseline.empty() && equal_sides(result);
}

}  // namespace tune::cli
