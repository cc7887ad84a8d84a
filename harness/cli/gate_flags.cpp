#include "cli/gate_flags.h"

#include <CLI/CLI.hpp>

#include <string>

namespace tune::cli {

namespace {

// A variable that is not set is no wish for the default.
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
          "beside a stored --baseline. Measures nothing")
      ->type_name("DIR")
      ->check(named);
}

void add_policy(CLI::App& command, GateRequest& request) {
  command.add_option("--metrics", request.metrics, "Gated metrics, e.g. epoch_time,throughput")
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
          "--max-time", request.max_time, "Wall time of the whole gate without builds, e.g. 10m")
      ->type_name("TIME");
  command.add_option("--slices", request.slices, "Slices of each process")
      ->type_name("N")
      ->check(CLI::Range(1, 1000));
  command.add_option("--seed", request.seed, "Of the order of processes")->type_name("N");
  command
      .add_option("--inject",
                  request.inject,
                  "Slow the candidate down by so much: a drill of the gate itself")
      ->type_name("SHARE");
  command.add_flag("--skip-equal", request.skip_equal, "Measure nothing when both sides are equal");
  command.add_flag("--rebuild", request.rebuild, "Build both commits anew, not from the cache");
  command.add_flag(
      "--plan", request.plan_only, "Wall time and smallest detectable effect; run nothing");
  command.add_option("-o,--output", request.output, "Run directory instead of tune-runs/...")
      ->type_name("DIR");
  command.add_flag("--json", request.as_json, "The verdict as JSON on standard output");
  add_output_flags(command, request.outputs);
  add_output_files(command, request.outputs);
}

}  // namespace tune::cli
