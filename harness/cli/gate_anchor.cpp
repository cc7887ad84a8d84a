#include "cli/gate_anchor.h"

#include "base/error.h"
#include "cli/choose_baseline.h"
#include "cli/gate_request.h"
#include "cli/gate_sitting.h"
#include "cli/open_gate.h"
#include "cli/open_run.h"
#include "cli/revision_sides.h"
#include "measure/gate/anchor.h"
#include "measure/gate/run_calibration.h"
#include "measure/gate/run_gate.h"
#include "measure/revision/repository.h"
#include "report/gate_pages.h"

#include <algorithm>
#include <iostream>
#include <utility>

namespace tune::cli {

namespace {

// Only what takes time adds up from change to change; what one step does is judged where it
// changes.
void judge_times_only(gate::Policy& policy) {
  policy.structural.clear();
  policy.compares_counts = false;
}

gate::Anchor failed_anchor(const std::string& words,
                           gate::End end,
                           const std::string& why,
                           ExitCode code) {
  gate::Anchor anchor;
  anchor.words = words;
  anchor.end = end;
  anchor.end_reason = anchor.why = why;
  anchor.verdict = stats::GateVerdict::inconclusive;
  anchor.code = code;
  return anchor;
}

gate::Anchor measure(const GateAnchor& anchor, const gate::GateResult& gate) {
  gate::GateResult second;
  GateSitting sitting(second, anchor.request);
  std::optional<RevisionSides> sides;
  if (anchor.revisions) {
    sides.emplace(*anchor.revisions, anchor.request, sitting);
  }
  const GateSources sources = sides ? sides->make() : read_gate_sources(anchor.request);
  second = read_gate_request(anchor.request, sources);
  judge_times_only(second.policy);
  if (second.policy.max_time_ns) {  // of both together
    second.policy.max_time_ns =
        std::max<std::int64_t>(1, *second.policy.max_time_ns - gate.run.elapsed_ns);
  }
  second.run.directory = gate.run.directory / "anchor";
  second.run.started_utc = utc_now();
  second.calibration = gate.calibration;
  sitting.begin_clock();
  if (!sitting.prepare(sources)) {
    return failed_anchor(
        anchor.words, gate::End::interrupted, "interrupted", ExitCode::interrupted);
  }
  const auto stored = find_stored(second, anchor.request);
  sitting.measure(sources,
                  second.candidate.words + " against the anchor, " + second.baseline.words,
                  [&](const gate::GateLoop& loop) {
                    if (second.sides_are_equal && !second.candidate.commit.empty()) {
                      gate::conclude_equal_sides(second, loop, false);
                    } else {
                      gate::run_gate(second, loop, stored ? &*stored : nullptr);
                    }
                  });
  report::write_gate_reports(second);
  return gate::weigh_anchor(second);
}

}  // namespace

std::optional<GateAnchor> choose_anchor(const GateRequest& request) {
  if (request.anchor.empty()) {
    if (!request.anchor_budget.empty()) {
      throw Error(Error::Parts{"--anchor-budget " + request.anchor_budget,
                               "says nothing without --anchor",
                               "it is what that comparison allows",
                               "--anchor NAME"});
    }
    return std::nullopt;
  }
  if (request.structural_only) {
    throw Error(Error::Parts{"--anchor " + request.anchor,
                             "does not go with --structural-only",
                             "only what takes time is compared with an anchor",
                             "one of the two"});
  }
  gate::Policy checked;
  const std::string budget =
      request.anchor_budget.empty() ? std::string(kUsualAnchorBudget) : request.anchor_budget;
  gate::apply_budget(checked, budget, "--anchor-budget " + budget);
  GateAnchor anchor{.request = request, .revisions = std::nullopt, .words = request.anchor};
  anchor.request.baseline = request.anchor;
  anchor.request.against.clear();
  anchor.request.anchor.clear();
  anchor.request.budget = budget;
  anchor.request.skip_equal = anchor.request.rebuild = false;
  anchor.revisions = choose_baseline(anchor.request, "anchor");
  return anchor;
}

void check_anchor(const GateAnchor& anchor, const gate::GateResult& gate) {
  gate::GateResult second;
  second.run.scenario = gate.run.scenario;
  second.run.data = gate.run.data;
  second.run.machine = gate.run.machine;
  second.candidate = gate.candidate;
  second.policy = read_policy(anchor.request, gate.run.scenario.gate);
  judge_times_only(second.policy);
  if (second.policy.budgets.empty()) {
    throw Error(Error::Parts{"--anchor " + anchor.words,
                             "has nothing to judge",
                             "no gated metric is measured, counts are not compared with an anchor",
                             "--metrics throughput"});
  }
  find_stored(second, anchor.request);
}

void compare_with_anchor(const GateAnchor& anchor, gate::GateResult& gate) {
  if (gate.end != gate::End::judged) {
    gate::add_anchor(gate,
                     gate::skipped_anchor(anchor.words,
                                          gate::is_of_rows(gate.end, gate.verdict)
                                              ? "the gate itself ended early"
                                              : "the gate itself judged nothing"));
    return;
  }
  try {
    gate::add_anchor(gate, measure(anchor, gate));
  } catch (const revision::Stopped&) {
    gate::add_anchor(
        gate,
        failed_anchor(anchor.words, gate::End::interrupted, "interrupted", ExitCode::interrupted));
  } catch (const revision::BuildFailed& error) {
    std::cerr << error.output();
    gate::add_anchor(
        gate,
        failed_anchor(
            anchor.words, gate::End::baseline_failed, error.what(), ExitCode::incomparable));
  } catch (const MachineError& error) {
    std::cerr << error.what() << '\n';
    gate::add_anchor(
        gate,
        failed_anchor(
            anchor.words, gate::End::incomparable, error.what(), ExitCode::not_available));
  } catch (const Error& error) {
    std::cerr << error.what() << '\n';
    gate::add_anchor(
        gate,
        failed_anchor(anchor.words, gate::End::incomparable, error.what(), ExitCode::incomparable));
  }
}

}  // namespace tune::cli
