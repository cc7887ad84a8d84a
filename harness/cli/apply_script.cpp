#include "cli/apply_script.h"

#include "base/text.h"
#include "cli/answer.h"
#include "cli/script_change.h"
#include "cli/verify_applied.h"
#include "report/headline.h"
#include "report/run_facts.h"

#include <algorithm>
#include <iostream>
#include <unistd.h>
#include <vector>

namespace tune::cli {

namespace {

constexpr const char* kBest = "tune apply best";

// As it is typed, with these words at its end.
std::string command_with(const trial::Script& script, const std::vector<std::string>& options) {
  const auto& words = script.command;
  const bool is_line = words.size() == 3 && words[0] == "/bin/sh" && words[1] == "-c";
  const std::string added = options.empty() ? "" : report::command_line(options);
  const std::string command = is_line ? printable(words[2]) : report::command_line(words);
  return command + (added.empty() ? "" : " " + added);
}

// Raw where a program reads it.
std::string shown(const std::string& diff) {
  return isatty(STDOUT_FILENO) != 0 ? printable(diff) : diff;
}

std::string indented(const std::string& text, const std::string& indent) {
  std::string lines;
  for (const std::string& line : split(printable(text), '\n')) {
    lines += line.empty() ? "" : indent + line + "\n";
  }
  return lines;
}

std::string by_hand_text(const ScriptChange& change, const trial::KnobSettings& knobs) {
  std::string text;
  for (const KnobByHand& knob : change.by_hand) {
    const auto value = knobs.find(knob.knob);
    text += "    " + one_line(knob.knob);
    text += value == knobs.end() ? "" : "=" + trial::to_text(value->second);
    text += ": " + one_line(knob.why) + "\n" + indented(knob.suggestion, "        ");
  }
  return text;
}

std::string text_of(const ScriptChange& change,
                    const trial::Script& script,
                    const trial::KnobSettings& knobs) {
  std::string text;
  if (!change.options.empty()) {
    text += "the script's own options:\n    " + command_with(script, change.options) + "\n";
  }
  if (!change.environment.empty()) {
    text += "environment:\n";
    for (const auto& [name, value] : change.environment) {
      text += "    " + one_line(name) + "=" + one_line(value) + "\n";
    }
  }
  if (!change.diff.empty()) {
    text += "source, for git apply in " + typed_path(script.folder) + ":\n" + shown(change.diff);
  }
  if (!change.by_hand.empty()) {
    text += "by hand:\n" + by_hand_text(change, knobs);
  }
  for (const std::string& note : change.notes) {
    text += "note: " + one_line(note) + "\n";
  }
  return text;
}

void tell_changed_files(const ScriptApplication& application, const ScriptChange& change) {
  for (const std::string& name : changed_files(script_run(application.run), change)) {
    std::cerr << "note: " << typed_path(name)
              << " has changed since it was measured: what was measured may not hold for it\n";
  }
}

void write_files(const ScriptApplication& application, const ScriptChange& change) {
  if (change.files.empty()) {
    std::cerr << "nothing to write: no line of its source changes\n";
    return;
  }
  write_change(script_run(application.run), change);
  for (const auto& [name, text] : change.files) {
    std::cout << "written: " << typed_path(name) << "\n";
  }
}

bool ran_as_applied(const campaign::CampaignResult& run, const trial::KnobSettings& knobs) {
  const auto& all = run.confirmations;
  return std::any_of(all.begin(), all.end(), [&](const campaign::Confirmation& row) {
    const auto cell = std::find_if(run.cells.begin(), run.cells.end(), [&](const auto& each) {
      return each.cell.id == row.cell;
    });
    return row.pairs > 0 && row.form && row.form->applied && cell != run.cells.end() &&
           cell->cell.knobs == knobs;
  });
}

ExitCode test_change(const ScriptApplication& application, const ScriptChange& change) {
  return verify_applied({.request = application.test->request,
                         .run = application.run,
                         .change = change,
                         .knobs = application.knobs,
                         .id = application.id,
                         .injected = application.injected,
                         .is_as_applied = ran_as_applied(application.run, application.knobs),
                         .flags = application.test->flags,
                         .budget_ns = application.test->budget_ns});
}

}  // namespace

ExitCode apply_to_script(const ScriptApplication& application) {
  const trial::Script& script = application.run.scenario.workload.script;
  const trial::KnobSettings knobs = trial::changed_settings(script, application.knobs);
  if (knobs.empty()) {
    std::cerr << "nothing to change: the script does all of it by itself\n";
    return ExitCode::fine;
  }
  if (!application.quiet) {
    std::cerr << "set " << trial::to_text(knobs) << "\n";
  }
  const ScriptChange change = change_of_script(script_run(application.run), knobs);
  const std::string text = text_of(change, script, knobs);
  if (text.empty()) {
    std::cerr << "nothing to change: the script does all of it by itself\n";
    return ExitCode::fine;
  }
  if (!application.writes) {
    tell_changed_files(application, change);
  }
  std::cout << text << std::flush;
  if (application.test != nullptr) {
    const ExitCode code = test_change(application, change);
    if (code != ExitCode::fine) {
      std::cerr << (application.writes ? "nothing was written\n" : "");
      return code;
    }
  }
  if (application.writes) {
    write_files(application, change);
    if (!change.by_hand.empty() && application.test == nullptr) {
      std::cerr << "note: the measured gain needs what is left to be made by hand, too\n";
    }
  } else if (!change.files.empty()) {
    std::cout << "next:    tune apply " << typed_path(application.id) << " "
              << typed_path(application.run.directory) << " --write\n";
  }
  return ExitCode::fine;
}

namespace {

// Fresh pairs come before the search.
double measured_gain(const campaign::CampaignResult& run, const campaign::CellResult& best) {
  return run.confirmation ? run.confirmation->gain.value.value_or(0)
         : best.gain      ? *best.gain->value
                          : 0;
}

}  // namespace

trial::KnobSettings best_setting(const campaign::CampaignResult& run,
                                 bool writes,
                                 bool although_refuted) {
  const report::Conclusion conclusion = report::conclude(run);
  if (conclusion.best == nullptr) {
    throw Error(
        Error::Parts{kBest, "there is no best setting in this run", report::headline(run), ""});
  }
  const std::string setting = report::setting_text(conclusion.best->cell);
  if (conclusion.standing == report::Standing::not_faster && !although_refuted) {
    throw Error(Error::Parts{kBest,
                             "the best setting has been measured and does not pay",
                             report::headline(run),
                             "--force"});
  }
  if (measured_gain(run, *conclusion.best) <= 0 && !although_refuted) {
    throw Error(Error::Parts{kBest,
                             "no setting was faster than the baseline",
                             report::headline(run),
                             resume_command(run.directory)});
  }
  if (conclusion.standing != report::Standing::faster) {
    if (writes && !although_refuted) {
      throw Error(Error::Parts{kBest,
                               "the best setting is not proven, nothing was written",
                               report::headline(run),
                               resume_command(run.directory)});
    }
    const std::string& why =
        conclusion.doubt.empty() ? report::headline(run) : conclusion.doubt;  // pairs undecided
    std::cerr << "note: " << setting << " is not proven: " << one_line(why) << "\n";
  }
  return conclusion.best->cell.knobs;
}

std::optional<stats::Number> measured_gain(const campaign::CampaignResult& run,
                                           const trial::KnobSettings& knobs) {
  const auto cell = std::find_if(run.cells.begin(), run.cells.end(), [&](const auto& each) {
    return each.cell.knobs == knobs;
  });
  if (cell == run.cells.end()) {
    return std::nullopt;
  }
  const auto& all = run.confirmations;
  const auto pairs = std::find_if(all.begin(), all.end(), [&](const auto& each) {
    return each.cell == cell->cell.id && each.pairs > 0;
  });
  return pairs == all.end() ? cell->gain : std::optional(pairs->gain);
}

}  // namespace tune::cli
