#include "base/error.h"
#include "base/file.h"
#include "base/unified_diff.h"
#include "base/units.h"
#include "cli/answer.h"
#include "cli/choose_baseline.h"
#include "cli/commands.h"
#include "cli/flags.h"
#include "cli/gate_anchor.h"
#include "cli/gate_request.h"
#include "cli/gate_sitting.h"
#include "cli/judge_again.h"
#include "cli/machine_lock.h"
#include "cli/open_gate.h"
#include "cli/open_run.h"
#include "cli/prepare_inputs.h"
#include "cli/present_gate.h"
#include "cli/quiet_machine.h"
#include "cli/revision_sides.h"
#include "cli/trial_machine.h"
#include "measure/gate/anchor.h"
#include "measure/gate/fingerprint.h"
#include "measure/gate/policy.h"
#include "measure/gate/run_calibration.h"
#include "measure/gate/run_gate.h"
#include "measure/revision/repository.h"
#include "scenario/edit_scenario.h"

#include <CLI/App.hpp>

#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tune::cli {

namespace {

constexpr std::int64_t kLargestScenario = 1 << 20;

struct AcceptRequest {
  std::string row, file, max, until, reason;
  bool dry_run = false;
};

scenario::AcceptedRow read_row(const AcceptRequest& request) {
  expect_word("tune gate accept", request.row, gate::all_metric_names());
  const auto ratio = parse_ratio(request.max);
  if (!ratio || *ratio <= 0 || *ratio >= 1) {
    throw Error(Error::Parts{
        "--max " + request.max, "is not a share", "above 0 and below 100%", "--max 6%"});
  }
  const std::string today = utc_now().substr(0, 10);
  if (!scenario::is_date(request.until) || request.until < today) {
    throw Error(Error::Parts{"--until " + request.until,
                             "is not a day to come",
                             "must read YYYY-MM-DD; today is " + today,
                             ""});
  }
  if (request.reason.find_first_not_of(' ') == std::string::npos) {
    throw Error(
        Error::Parts{"--reason", "says nothing", "whoever reviews the change wants to know", ""});
  }
  // As it will be read again.
  return {request.row, *parse_ratio(scenario::share_text(*ratio)), request.until, request.reason};
}

ExitCode accept(const AcceptRequest& request) {
  const scenario::AcceptedRow row = read_row(request);
  const std::string before = read_file(request.file, kLargestScenario);
  const std::string after = scenario::with_accepted(before, request.file, row);
  std::cout << unified_diff(before, after, short_path(request.file));
  if (request.dry_run) {
    return ExitCode::fine;
  }
  replace_file_synced(request.file, after);
  std::cerr << "written: " << typed_path(request.file)
            << "; commit it with the change that it is for\n";
  return ExitCode::fine;
}

// `tune gate accept ROW FILE --max 6% --until DATE --reason TEXT`: writes into a scenario that a
// gated row may be worse until that day.
void add_gate_accept(CLI::App& gate, Invocation& invocation) {
  CLI::App& command = add_command(
      gate,
      {"accept",
       "Writes into a scenario that a gated row may get worse until a day: a change that the team "
       "wants although it costs. The entry is reviewed with the change, every verdict names it, "
       "and "
       "it ends by itself. Comments and order of the file stay; the difference is printed.",
       {"tune gate accept throughput scenarios/mlp.yaml --max 6% --until 2999-01-31 --reason \"a "
        "larger model\"",
        "tune gate accept peak_memory_bytes scenarios/mlp.yaml --max 10% --until 2999-01-31 "
        "--reason \"a cache\" -n"}});
  const auto request = std::make_shared<AcceptRequest>();
  command.add_option("ROW", request->row, "throughput, epoch_time, ...")->required();
  command.add_option("FILE", request->file, "Scenario")->required();
  command.add_option("--max", request->max, "How much worse, e.g. 6%")
      ->type_name("SHARE")
      ->required();
  command.add_option("--until", request->until, "The last day, YYYY-MM-DD (UTC)")
      ->type_name("DATE")
      ->required();
  command.add_option("--reason", request->reason, "Why, for those who review it")
      ->type_name("TEXT")
      ->required();
  command.add_flag("-n,--dry-run", request->dry_run, "Print the difference only");
  command.callback(
      [&invocation, request] { invocation.run = [request] { return accept(*request); }; });
}

std::string greeting(const gate::GateResult& result) {
  return result.candidate.words + " against " + result.baseline.words;
}

bool nothing_changed(const gate::GateResult& result) {
  return result.sides_are_equal && !result.candidate.commit.empty();
}

// Once both sides can be started; what cannot be compared is reported before anything is measured.
// False when there is nothing to measure.
bool measure(gate::GateResult& result,
             const GateRequest& request,
             const GateSources& sources,
             const std::optional<GateAnchor>& anchor,
             GateSitting& sitting) {
  const auto calibration = find_calibration(result);
  const auto stored = find_stored(result, request);
  if (anchor) {
    check_anchor(*anchor, result);
  }
  if (result.sides_are_equal && request.skip_equal) {
    std::cerr << "both sides are the same: nothing to measure (--skip-equal)\n";
    return false;
  }
  if (request.waits && !request.structural_only) {
    wait_for_quiet([&](const std::string& what) { sitting.show_preparation(what); },
                   sitting.interruption().level());
    sitting.begin_clock();
  }
  sitting.measure(sources, greeting(result), [&](const gate::GateLoop& loop) {
    if (nothing_changed(result)) {
      gate::conclude_equal_sides(
          result, loop, calibration.has_value() && !result.policy.structural_only);
    } else {
      gate::run_gate(result, loop, stored ? &*stored : nullptr);
    }
  });
  const bool is_whole = result.end == gate::End::judged || result.end == gate::End::nothing_changed;
  if (calibration && result.sides_are_equal && is_whole) {
    add_to_calibration(result, *calibration);
  }
  return true;
}

// The second comparison, if one is wanted; then the reports of both.
ExitCode finish(gate::GateResult& result,
                const GateRequest& request,
                const std::optional<GateAnchor>& anchor,
                const GateSitting& sitting) {
  const bool was_stopped = sitting.interruption().asked();
  if (anchor && was_stopped) {
    gate::add_anchor(result, gate::skipped_anchor(anchor->words, "interrupted"));
  } else if (anchor) {
    compare_with_anchor(*anchor, result);
  }
  const ExitCode code = present_gate(result, request);
  const bool anchor_was_stopped = result.anchor && result.anchor->end == gate::End::interrupted;
  if (result.end == gate::End::interrupted || anchor_was_stopped) {
    std::cerr << "interrupted; what finished is saved in " << result.run.directory.string() << "\n";
    return sitting.interruption().exit_code();
  }
  return code;
}

// What is built from commits does not exist yet.
GateSources looked_at_sources(const GateRequest& request) {
  GateSources sources = read_gate_sources(request);
  std::vector<std::string>& notes = sources.candidate.scenario.notes;
  const auto look = [&notes](const scenario::Scenario& scenario) {
    for (std::string& note : look_at_own_files(scenario)) {
      if (std::find(notes.begin(), notes.end(), note) == notes.end()) {
        notes.push_back(std::move(note));
      }
    }
  };
  look(sources.candidate.scenario);
  if (sources.baseline) {
    look(sources.baseline->scenario);
  }
  return sources;
}

ExitCode plan(const GateRequest& request,
              const std::optional<GateRevisions>& revisions,
              const std::optional<GateAnchor>& anchor) {
  gate::GateResult result = read_gate_request(
      request, revisions ? planned_sources(*revisions, request) : looked_at_sources(request));
  result.run.machine = machine_of_trials(result.run.scenario.workload);
  find_calibration(result);
  const bool is_stored = find_stored(result, request).has_value();
  if (anchor) {
    check_anchor(*anchor, result);
  }
  std::cout << gate_plan(result, is_stored);
  if (anchor) {
    std::cout << "anchor          " << anchor->words << ", budget " << anchor->request.budget
              << ": measured afterwards, in a second gate like this one\n";
  }
  return ExitCode::fine;
}

// One side is another scenario, another setting, or stored.
ExitCode gate_settings(const GateRequest& request, const std::optional<GateAnchor>& anchor) {
  const GateSources sources = read_gate_sources(request);
  gate::GateResult result = read_gate_request(request, sources);
  name_run(result, request, "-gate");
  const auto lock = lock_machine(result.run.directory, request.waits);
  const bool builds = anchor && anchor->revisions;
  const auto workshop =
      lock && builds ? lock_workshop(workshop_folder(*anchor->revisions), result.run.directory)
                     : std::nullopt;
  if (!lock || (builds && !workshop)) {
    return ExitCode::not_available;
  }
  GateSitting sitting(result, request);
  if (!sitting.prepare(sources)) {
    return sitting.interruption().exit_code();
  }
  return measure(result, request, sources, anchor, sitting)
             ? finish(result, request, anchor, sitting)
             : ExitCode::fine;
}

// Only to know which program measures. Complaints about the file come with those of the commits.
trial::Workload workload_now(const std::string& file) {
  try {
    return scenario::load_scenario(file).workload;
  } catch (const Error&) {
    return {};
  }
}

// The sides are commits. Builds load the machine, so that its lock is taken before them.
ExitCode gate_revisions(const GateRequest& request,
                        const GateRevisions& revisions,
                        const std::optional<GateAnchor>& anchor) {
  gate::GateResult result;
  result.run.scenario.name = revisions.file.stem().string();
  result.baseline.words = revisions.baseline.text();  // of a build that fails
  result.run.scenario.workload = workload_now(request.file);
  name_run(result, request, "-gate");
  const auto lock = lock_machine(result.run.directory, request.waits);
  const auto workshop =
      lock ? lock_workshop(workshop_folder(revisions), result.run.directory) : std::nullopt;
  if (!lock || !workshop) {
    return ExitCode::not_available;
  }
  GateSitting sitting(result, request);
  try {
    RevisionSides sides(revisions, request, sitting);
    const GateSources sources = sides.make();
    gate::GateResult read = read_gate_request(request, sources);
    read.run.directory = result.run.directory;
    read.run.started_utc = result.run.started_utc;
    result = std::move(read);
    sitting.begin_clock();
    if (!sitting.prepare(sources)) {
      return sitting.interruption().exit_code();
    }
    if (!measure(result, request, sources, anchor, sitting)) {
      return ExitCode::fine;
    }
  } catch (const revision::BuildFailed& error) {
    if (anchor) {
      std::cerr << "the anchor, " << anchor->words << ", was not compared\n";
    }
    return tell_failed_build(error, result, request);
  } catch (const revision::Stopped&) {
    std::cerr << "interrupted while commits were built; nothing was measured\n";
    return sitting.interruption().exit_code();
  }
  const bool has_failed =
      result.end == gate::End::candidate_failed || result.end == gate::End::baseline_failed;
  if (has_failed && result.run.scenario.workload.script.exists()) {
    const std::string hint = uncommitted_hint(revisions);
    std::cerr << hint << (hint.empty() ? "" : "\n");
  }
  return finish(result, request, anchor, sitting);  // its builds need the place of these
}

ExitCode run_gate_command(GateRequest request) {
  check_wish(request.outputs);
  if (!request.run.empty()) {
    return judge_again(std::move(request));
  }
  if (request.file.empty()) {  // the parser cannot ask for it: `tune gate accept` has its own
    throw Error(Error::Parts{"tune gate", "FILE is required", "see `tune gate --help`", ""});
  }
  if (request.plan_only && request.as_json) {
    throw Error(Error::Parts{"--json",
                             "does not go with --dry-run",
                             "what a gate can detect is text, the verdict is JSON",
                             "one of the two"});
  }
  const auto anchor = choose_anchor(request);
  const auto revisions = choose_baseline(request);
  if (request.plan_only) {
    return plan(request, revisions, anchor);
  }
  return revisions ? gate_revisions(request, *revisions, anchor) : gate_settings(request, anchor);
}

// What has no number has an exit code of its own.
ExitCode gate_command(const GateRequest& request) {
  try {
    return run_gate_command(request);
  } catch (const revision::Unavailable& error) {
    std::cerr << error.what() << '\n';
    return ExitCode::incomparable;
  } catch (const gate::Incomparable& error) {
    std::cerr << error.what() << '\n';
    return ExitCode::incomparable;
  }
}

}  // namespace

void add_gate(CLI::App& app, Invocation& invocation) {
  CLI::App& command = add_command(
      app,
      {"gate",
       "Measures candidate and baseline in pairs of fresh processes, in random order, and judges "
       "each gated metric: PASS, REGRESSED, IMPROVED or INCONCLUSIVE (exit code 0, 1, 0, 3). "
       "Writes result.json, report.html, report.md (a comment on the change) and junit.xml. "
       "Without --baseline, --against, --inject or a knob of --set, a scenario that is committed "
       "in a git clone is compared with itself at the merge base with the main branch; both "
       "commits are built by its `workload.build`.",
       {"tune gate scenarios/mlp.yaml --set intra_op_threads=1",
        "tune gate new.yaml --against old.yaml --budget epoch_time=3%",
        "tune gate perf/training.yaml --baseline origin/main --anchor v1.0",
        "tune gate --run tune-runs/latest --budget 3%"}});
  const auto request = std::make_shared<GateRequest>();
  add_gate_flags(command, *request);
  add_gate_accept(command, invocation);
  command.callback([&command, &invocation, request] {
    if (!command.get_subcommands().empty()) {
      return;  // which has said what to run
    }
    invocation.run = [&invocation, request] {
      request->quiet = invocation.quiet;
      request->words = invocation.words;
      request->color = invocation.color;
      return gate_command(*request);
    };
  });
}

}  // namespace tune::cli
