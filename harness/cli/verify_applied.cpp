#include "cli/verify_applied.h"

#include "base/file.h"
#include "base/sha256.h"
#include "base/text.h"
#include "cli/answer.h"
#include "cli/applied_form.h"
#include "cli/machine_lock.h"
#include "cli/trial_machine.h"
#include "cli/verification_sitting.h"
#include "measure/campaign/pair_form.h"
#include "measure/campaign/recorded_run.h"
#include "measure/campaign/verification.h"
#include "report/number_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>
#include <set>
#include <utility>

namespace tune::cli {

namespace {

namespace fs = std::filesystem;

using campaign::Verification;

constexpr std::int64_t kLargestForm = 8 << 20;

// ---------------------------------------------------------------------------------- the form

fs::path form_folder(const fs::path& directory) {
  return directory / "form";
}

fs::path form_file(const fs::path& directory) {
  return form_folder(directory) / "form.json";
}

// Two forms are the same where their texts are.
std::string form_text(const ScriptChange& change) {
  nlohmann::ordered_json form;
  form["options"] = change.options;
  form["environment"] = change.environment;
  form["files"] = nlohmann::ordered_json::object();
  for (const auto& [name, text] : change.files) {
    form["files"][name] = sha256_hex(text);
  }
  return form.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

void keep_form_file(const AppliedChange& applied, const fs::path& directory) {
  std::error_code failed;
  fs::create_directories(form_folder(directory), failed);
  write_file_synced(form_file(directory), form_text(applied.change));
}

void refuse_nothing(const AppliedChange& applied) {
  if (gives_anything(applied.change)) {
    return;
  }
  throw Error(Error::Parts{"--verify",
                           "there is nothing to measure",
                           "all of the change is left to be made by hand",
                           "make it, then " + repeating_command(applied.run.scenario)});
}

// ---------------------------------------------------------------------------------- the pairs

// Settings of the cell that are not those of the run's baseline.
trial::KnobSettings changed_knobs(const AppliedChange& applied) {
  const trial::KnobSettings& baseline = applied.run.plan.cells.front().knobs;
  trial::KnobSettings changed;
  for (const auto& [name, value] : applied.knobs) {
    const auto before = baseline.find(name);
    if (before == baseline.end() || before->second != value) {
      changed.emplace(name, value);
    }
  }
  return changed;
}

std::vector<Verification> applications_of(const campaign::CampaignResult& run) {
  std::vector<std::string> warnings;
  std::vector<Verification> all = campaign::read_applications(run.directory, warnings);
  for (const std::string& warning : warnings) {
    std::cerr << "warning: " << one_line(warning) << "\n";
  }
  return all;
}

bool has_form(const Verification& each, const std::string& text) {
  std::error_code failed;
  const fs::path file = form_file(each.directory);
  return fs::is_regular_file(file, failed) && read_file(file, kLargestForm) == text;
}

// Its pairs would not compare with those of another program.
bool has_same_worker(const AppliedChange& applied, const Verification& each) {
  const fs::path worker = find_worker_program(applied.run.scenario.workload);
  const campaign::RecordedRun recorded = campaign::read_recorded_run(each.directory);
  return recorded.ledger.header.worker_sha256 == sha256_file_hex(worker);
}

// The newest of this change in this form; nothing where there is none that says anything.
std::optional<Verification> known(const AppliedChange& applied,
                                  const trial::KnobSettings& changed) {
  std::vector<Verification> all = applications_of(applied.run);
  const std::string text = form_text(applied.change);
  const auto found = std::find_if(all.rbegin(), all.rend(), [&](const Verification& each) {
    return each.change == changed && has_form(each, text) &&
           (!each.is_open || has_same_worker(applied, each));
  });
  return found == all.rend() ? std::nullopt : std::optional(std::move(*found));
}

// A name proves nothing: what was in effect in the trials of the form does.
std::vector<std::string> without_effect(const fs::path& directory,
                                        const trial::KnobSettings& changed) {
  std::set<std::string> lines;
  for (const campaign::TrialRecord& trial : campaign::read_recorded_run(directory).trials) {
    if (trial.spec.cell != "baseline") {
      for (std::string& line : campaign::without_effect(trial, changed)) {
        lines.insert(std::move(line));
      }
    }
  }
  return {lines.begin(), lines.end()};
}

// ---------------------------------------------------------------------------------- the answer

struct Answer {
  std::string verdict;
  ExitCode code = ExitCode::fine;
};

std::string gain_words(const stats::Number& gain) {
  return report::gain_text(gain.value) + (gain.lower ? " " + report::gain_interval_text(gain) : "");
}

bool is_below(const stats::Number& applied, const std::optional<stats::Number>& injected) {
  return injected && injected->lower && applied.upper && *applied.upper < *injected->lower;
}

Answer answer_of(const Verification& found, const std::optional<stats::Number>& injected) {
  using Verdict = advice::MeasuredGain::Verdict;
  const auto gain =
      found.confirmation ? campaign::gain_with_verdict(*found.confirmation) : std::nullopt;
  if (!gain) {
    return {"NO VERDICT (" + one_line(found.reason) + ")",
            found.is_open ? ExitCode::partial : ExitCode::negative_verdict};
  }
  if (!found.broken_constraints.empty()) {
    return {"NOT CONFIRMED (it breaks a constraint: " + one_line(found.broken_constraints.front()) +
                ")",
            ExitCode::negative_verdict};
  }
  if (gain->verdict == Verdict::refuted) {
    return {"NOT CONFIRMED (it does not pay)", ExitCode::negative_verdict};
  }
  if (is_below(found.confirmation->gain, injected)) {
    return {"NOT CONFIRMED (it gives less)", ExitCode::negative_verdict};
  }
  if (gain->verdict == Verdict::ambiguous) {
    const std::string& why = found.confirmation->why;
    return {"NOT CONFIRMED (" + (why.empty() ? "the pairs do not tell" : one_line(why)) + ")",
            found.is_open ? ExitCode::partial : ExitCode::inconclusive};
  }
  return {"CONFIRMED", ExitCode::fine};
}

ExitCode tell(const AppliedChange& applied,
              const trial::KnobSettings& changed,
              const fs::path& directory) {
  const std::vector<Verification> all = applications_of(applied.run);
  const auto found = std::find_if(all.begin(), all.end(), [&](const Verification& each) {
    return each.directory.filename() == directory.filename();
  });
  if (found == all.end()) {
    throw Error(
        Error::Parts{typed_path(directory), "holds no pairs", "its trials did not begin", ""});
  }
  const Answer answer = answer_of(*found, applied.injected);
  const auto& pairs = found->confirmation;
  const bool has_gain = pairs && pairs->pairs > 0;
  std::cout << (applied.is_as_applied ? "measured in the same form by the run "
                                      : "measured by injection ")
            << (applied.injected ? gain_words(*applied.injected) : "not at all")
            << ", in the applied form "
            << (has_gain ? gain_words(pairs->gain) : std::string("not at all"))
            << (has_gain ? ", " + report::counted(pairs->pairs, "pair") : "") << ": "
            << answer.verdict << "\n";
  for (const KnobByHand& knob : applied.change.by_hand) {
    std::cout << "note: measured without " << one_line(knob.knob)
              << ", which is left to be made by hand\n";
  }
  for (const std::string& line : without_effect(found->directory, changed)) {
    std::cout << "note: in the applied form " << one_line(line) << "\n";
  }
  if (answer.code == ExitCode::partial) {
    std::cout << "resume:  tune apply " << typed_path(applied.id) << " "
              << typed_path(applied.run.directory) << " --verify\n";
  }
  std::cout << std::flush;
  return answer.code;
}

}  // namespace

ExitCode verify_applied(const AppliedChange& applied) {
  refuse_nothing(applied);
  const trial::KnobSettings changed = changed_knobs(applied);
  VerificationPlan plan{.rule = applied.id, .change = changed};
  if (const auto earlier = known(applied, changed)) {
    if (!earlier->is_open) {
      return tell(applied, changed, earlier->directory);
    }
    plan.directory = earlier->directory;
    plan.goes_on = true;
    plan.used_ns = earlier->elapsed_ns;
  } else {
    plan.directory = campaign::next_application(applied.run.directory, applied.id);
  }
  check_plan(applied.run, plan, "--verify");
  const auto lock = lock_machine(plan.directory, applied.request.waits);
  if (!lock) {
    return ExitCode::not_available;
  }
  const campaign::DirectoryLock directory_lock = lock_directory(applied.run.directory);
  trial::AppliedForm form =
      keep_form(applied.change, script_run(applied.run), form_folder(fs::absolute(plan.directory)));
  keep_form_file(applied, plan.directory);
  const trial::KnobSettings& baseline = applied.run.plan.cells.front().knobs;
  return measure_verification(
      {.request = applied.request,
       .run = applied.run,
       .plan = plan,
       .flags = applied.flags,
       .budget_ns = applied.budget_ns,
       .go_on = "tune apply " + applied.id + " " + typed_path(applied.run.directory) + " --verify",
       .present = [&] { return tell(applied, changed, plan.directory); },
       .form =
           [&](const trial::TrialSpec& spec) {
             return spec.cell == "baseline" ? spec
                                            : campaign::in_applied_form(spec, baseline, form);
           }});
}

}  // namespace tune::cli
