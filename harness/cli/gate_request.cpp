#include "cli/gate_request.h"

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "base/units.h"
#include "cli/open_run.h"
#include "machine/user_folders.h"
#include "measure/gate/policy.h"
#include "measure/gate/work.h"
#include "report/number_text.h"
#include "trial/trial_spec.h"

#include <CLI/App.hpp>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace tune::cli {

namespace {

// Only a variable that is set counts as a choice.
std::string named(const std::string& word) {
  return word.empty() ? "names nothing" : "";
}

void add_sides(CLI::App& command, GateRequest& request) {
  command.add_option("FILE", request.file, "Scenario");
  command
      .add_option(
          "--set",
          request.sets,
          "Change a knob of the candidate, or how both sides are measured: device, slices, ...")
      ->type_name("KEY=VALUE")
      ->take_all();
  command
      .add_option("--against", request.against, "Another scenario whose setting is the baseline")
      ->type_name("FILE");
  command
      .add_option(
          "--baseline",
          request.baseline,
          "A revision of git: checked out, built and measured beside HEAD (without this "
          "flag, the merge base with the main branch); or a stored baseline (tune baseline "
          "set) or the file that `tune baseline show NAME --json` wrote: only the candidate is "
          "measured. git:REF, stored:NAME and file:PATH say which")
      ->type_name("REF|NAME|FILE")
      ->check(named);
  command
      .add_option(
          "--anchor",
          request.anchor,
          "Something older, named as --baseline, to compare with afterwards: what many small "
          "losses add up to. The exit code is the worse of the two")
      ->type_name("REF|NAME|FILE")
      ->check(named);
  command
      .add_option(
          "--run",
          request.run,
          "Judge again what this gate measured, with other flags below; or the baseline of a run "
          "against a stored --baseline. Measures nothing")
      ->type_name("DIR")
      ->check(named);
}

void add_policy(CLI::App& command, GateRequest& request) {
  command
      .add_option(
          "--metrics",
          request.metrics,
          "Gated metrics, e.g. epoch_time,throughput; cpu_time and instructions need no quiet "
          "machine")
      ->type_name("LIST");
  command
      .add_option("--budget",
                  request.budget,
                  "How much worse is allowed: 3%, or epoch_time=3%,throughput=5%")
      ->type_name("SHARE");
  command.add_option("--anchor-budget", request.anchor_budget, "The same against --anchor (5%)")
      ->type_name("SHARE");
  command.add_option("--min-effect", request.min_effect, "What is nobody's business: 1%")
      ->type_name("SHARE");
  command.add_option("--mode", request.mode, "enforce, warn or shadow: only enforce fails")
      ->check(CLI::IsMember({"enforce", "warn", "shadow"}));
  command.add_option("--inconclusive", request.inconclusive, "warn (exit 3), pass (0) or fail (1)")
      ->check(CLI::IsMember({"warn", "pass", "fail"}));
  command.add_option("--looks", request.looks, "Pairs at each look, e.g. 10,16,24")
      ->type_name("LIST");
  command.add_flag("--structural-only",
                   request.structural_only,
                   "Count operators, allocations and bytes of a step; time nothing");
}

}  // namespace

void add_gate_flags(CLI::App& command, GateRequest& request) {
  add_sides(command, request);
  add_policy(command, request);
  command
      .add_option(
          "--time", request.max_time, "Wall time of the whole gate without builds, e.g. 10m")
      ->type_name("TIME");
  command.add_option("--slices", request.slices, "Slices of each process")
      ->type_name("N")
      ->check(CLI::Range(1, 1000));
  command.add_option("--seed", request.seed, "Seed of the random order of processes")
      ->type_name("N");
  command
      .add_option("--inject",
                  request.inject,
                  "Slow the candidate down by so much: a drill of the gate itself")
      ->type_name("SHARE");
  command.add_flag("--skip-equal", request.skip_equal, "Measure nothing when both sides are equal");
  command.add_flag("--rebuild", request.rebuild, "Build both commits again, not from the cache");
  command.add_flag("-n,--dry-run",
                   request.plan_only,
                   "Show wall time and smallest detectable effect, run nothing");
  command.add_flag("--wait",
                   request.waits,
                   "Wait until another tune has ended and other programs leave the CPUs alone");
  command.add_option("-o,--output", request.output, "Run directory instead of tune-runs/...")
      ->type_name("DIR");
  command.add_flag("--json", request.as_json, "The verdict as JSON on standard output");
  add_output_flags(command, request.outputs);
  add_output_files(command, request.outputs);
}

namespace {

constexpr const char* kUncalibrated =
    "uncalibrated: `tune calibrate` measures what this machine can detect";
constexpr const char* kOtherSettings =
    "uncalibrated with these settings: `tune calibrate` with the same --set would tell what this "
    "machine can detect";

}  // namespace

std::optional<gate::Calibration> find_calibration(gate::GateResult& result) {
  const gate::CalibrationKey key =
      gate::calibration_key(result.run.machine, result.run.scenario.sha256, result.candidate.spec);
  auto calibration = gate::load_calibration(machine::data_folder(), key);
  if (!calibration) {
    result.calibration =
        gate::has_other_calibration(machine::data_folder(), key) ? kOtherSettings : kUncalibrated;
    return std::nullopt;
  }
  result.calibrated_mde = gate::detectable(*calibration, result.policy);
  result.calibration = "calibrated " + calibration->utc + ": detectable " +
                       report::share_text(*result.calibrated_mde) + ", false alarms " +
                       gate::false_alarm_text(*calibration);
  for (const gate::Budget& budget : result.policy.budgets) {
    if (budget.metric != "peak_memory_bytes" && result.policy.mode == gate::Mode::enforce &&
        budget.ratio < *result.calibrated_mde) {
      throw Error(Error::Parts{
          "budget " + report::share_text(budget.ratio) + " of " + budget.metric,
          "is below what this machine can detect",
          "the calibration of " + calibration->utc + " says " +
              report::share_text(*result.calibrated_mde),
          "a larger --budget, --mode warn, more pairs (--looks), or a new tune calibrate"});
    }
  }
  return calibration;
}

void add_to_calibration(const gate::GateResult& result, gate::Calibration calibration) {
  std::vector<double> differences;
  for (const gate::Pair& pair : result.pairs) {
    const auto a = pair.baseline.values.find("throughput");
    const auto b = pair.candidate.values.find("throughput");
    if (a != pair.baseline.values.end() && b != pair.candidate.values.end()) {
      differences.push_back(std::log(a->second / b->second));
    }
  }
  if (differences.empty()) {
    return;
  }
  if (result.end == gate::End::nothing_changed) {
    gate::add_equal_pairs(calibration, differences, result.policy.min_effect_ratio);
  } else {
    gate::add_equal_gate(calibration,
                         differences,
                         result.verdict == stats::GateVerdict::regressed,
                         result.policy.min_effect_ratio);
  }
  write_file_synced(gate::calibration_file(machine::data_folder(), calibration.key),
                    gate::to_json(calibration));
}

namespace {

gate::Mode mode_of(const std::string& word) {
  return word == "warn"     ? gate::Mode::warn
         : word == "shadow" ? gate::Mode::shadow
                            : gate::Mode::enforce;
}

gate::Inconclusive inconclusive_of(const std::string& word) {
  return word == "pass"   ? gate::Inconclusive::pass
         : word == "fail" ? gate::Inconclusive::fail
                          : gate::Inconclusive::warn;
}

void take_metrics(const GateRequest& request, gate::Policy& policy) {
  if (!request.metrics.empty()) {
    gate::choose_metrics(policy, split(request.metrics, ','), "--metrics " + request.metrics);
  }
}

// What is asked of the rows, and when they are looked at.
void take_limits(const GateRequest& request, gate::Policy& policy) {
  if (!request.budget.empty()) {
    gate::apply_budget(policy, request.budget, "--budget " + request.budget);
  }
  if (!request.min_effect.empty()) {
    const auto ratio = parse_ratio(request.min_effect);
    if (!ratio) {
      throw Error(Error::Parts{
          "--min-effect " + request.min_effect, "is not a share", "must read 1% or 0.01", "1%"});
    }
    policy.min_effect_ratio = *ratio;
  }
  if (!request.looks.empty()) {
    gate::choose_looks(policy, request.looks, "--looks " + request.looks);
  }
}

}  // namespace

gate::Policy read_policy(const GateRequest& request, const scenario::GateSection& section) {
  gate::Policy policy;
  for (const std::string& name : gate::metric_names(false)) {
    if (!gate::is_work(name)) {
      policy.budgets.push_back({name});
    }
  }
  if (!section.metrics.empty()) {
    gate::choose_metrics(policy, section.metrics, "gate.metrics");
  }
  take_metrics(request, policy);
  if (section.budget_ratio) {
    gate::apply_budget(policy, std::to_string(*section.budget_ratio), "gate.budget");
  }
  for (const auto& [metric, ratio] : section.metric_budgets) {
    gate::apply_budget(policy, metric + "=" + std::to_string(ratio), "gate.budget");
  }
  policy.min_effect_ratio = section.min_effect_ratio.value_or(policy.min_effect_ratio);
  policy.looks = section.looks;
  take_limits(request, policy);
  policy.mode = mode_of(request.mode.empty() ? section.mode : request.mode);
  policy.inconclusive =
      inconclusive_of(request.inconclusive.empty() ? section.inconclusive : request.inconclusive);
  policy.max_time_ns = section.max_time_ns;
  if (!request.max_time.empty()) {
    policy.max_time_ns = parse_time_ns(request.max_time);
    if (!policy.max_time_ns || *policy.max_time_ns <= 0) {
      throw Error(Error::Parts{
          "--time " + request.max_time, "is not a time", "the unit is mandatory", "10m"});
    }
    if (*policy.max_time_ns > trial::kLongestCampaignNs) {
      throw Error(Error::Parts{"--time " + request.max_time,
                               "is too long",
                               "at most " + format_time(trial::kLongestCampaignNs),
                               ""});
    }
  }
  policy.structural_only = request.structural_only;
  if (policy.structural_only) {
    policy.budgets.clear();
  }
  gate::accept_rows(policy, section.accepted, utc_now().substr(0, 10));
  gate::check_policy(policy);
  return policy;
}

gate::Policy changed_policy(const GateRequest& request, gate::Policy recorded) {
  gate::Policy policy = std::move(recorded);
  if (!request.metrics.empty() || !request.budget.empty()) {
    policy.accepted.clear();  // the budgets that it tells of are not these
  }
  take_metrics(request, policy);
  take_limits(request, policy);
  policy.mode = request.mode.empty() ? policy.mode : mode_of(request.mode);
  policy.inconclusive =
      request.inconclusive.empty() ? policy.inconclusive : inconclusive_of(request.inconclusive);
  if (request.structural_only) {
    policy.structural_only = policy.compares_counts = true;
    policy.budgets.clear();
  }
  gate::check_policy(policy);
  return policy;
}

}  // namespace tune::cli
