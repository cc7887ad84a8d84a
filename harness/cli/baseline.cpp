#include "base/error.h"
#include "base/file.h"
#include "base/stats/quantile.h"
#include "cli/choose_baseline.h"
#include "cli/commands.h"
#include "cli/flags.h"
#include "cli/open_run.h"
#include "cli/terminal.h"
#include "machine/user_folders.h"
#include "measure/gate/fingerprint.h"
#include "measure/gate/policy.h"
#include "measure/gate/stored_baseline.h"
#include "report/number_text.h"

#include <CLI/App.hpp>
#include <nlohmann/json.hpp>

#include <cmath>
#include <functional>
#include <iostream>
#include <memory>
#include <system_error>
#include <utility>

namespace tune::cli {

namespace {

using gate::StoredBaseline;

constexpr std::size_t kMostRecordings = 10;

struct Flags {
  std::string run, name, from, cell = "baseline";
  bool force = false, dry_run = false, as_json = false, as_plain = false;
};

// An exit code of its own for what cannot be compared.
ExitCode with_incomparable(const std::function<ExitCode()>& act) {
  try {
    return act();
  } catch (const gate::Incomparable& error) {
    std::cerr << error.what() << '\n';
    return ExitCode::incomparable;
  }
}

std::string recordings_text(const StoredBaseline& baseline) {
  return report::counted(static_cast<std::int64_t>(baseline.recordings.size()), "recording");
}

// What stays of a baseline of that name: nothing with --force, an error when it does not fit.
StoredBaseline earlier(const std::string& name, const StoredBaseline& recorded, bool force) {
  const auto folder = machine::data_folder();
  StoredBaseline none = recorded;
  none.recordings.clear();
  std::error_code ignored;
  if (force || !std::filesystem::exists(gate::baseline_file(folder, name), ignored)) {
    return none;
  }
  StoredBaseline known = gate::load_baseline(folder, name);
  std::string why = gate::difference(known.fingerprint, recorded.fingerprint);
  if (why.empty() && known.setting != recorded.setting) {
    why = "it was measured with another setting: " + known.setting;
  }
  if (!why.empty()) {
    throw gate::Incomparable(Error::Parts{"baseline " + name,
                                          "does not go with this run",
                                          why,
                                          "another --name, or --force to begin it again"});
  }
  return known;
}

ExitCode set(const Flags& flags) {
  // `set RUN --name NAME`, or `set NAME --from RUN`.
  const std::string run = flags.from.empty() ? flags.run : flags.from;
  std::error_code failed;
  const auto directory = std::filesystem::weakly_canonical(run, failed);
  if (failed) {
    throw_failed_call("tune baseline set " + run, "cannot be read", failed.value());
  }
  const StoredBaseline recorded = gate::record_baseline(directory, flags.cell);
  const std::string name = !flags.name.empty()   ? flags.name
                           : !flags.from.empty() ? flags.run
                                                 : recorded.scenario;
  const auto file = gate::baseline_file(machine::data_folder(), name);
  StoredBaseline baseline = earlier(name, recorded, flags.force);
  baseline.name = name;
  for (const gate::Recording& known : baseline.recordings) {
    if (known.run == recorded.recordings.front().run) {
      throw Error(Error::Parts{"tune baseline set " + run,
                               "is in baseline " + name + " already",
                               "a recording counts once",
                               "run the scenario again"});
    }
  }
  baseline.recordings.push_back(recorded.recordings.front());
  if (baseline.recordings.size() > kMostRecordings) {
    baseline.recordings.erase(baseline.recordings.begin());
  }
  if (flags.dry_run) {
    std::cout << "would write " << file.string() << ": baseline " << name << ", "
              << recordings_text(baseline) << "\n";
    return ExitCode::fine;
  }
  machine::make_private_folder(file.parent_path());
  const std::string text = gate::to_json(baseline);
  (void)gate::parse_baseline(text, file.string());  // never replaced by what nobody could read
  write_file_synced(file, text);
  std::cout << "baseline " << name << ": " << recordings_text(baseline) << ", "
            << baseline.recordings.back().processes.size() << " processes in the last\n";
  if (baseline.recordings.size() < 2) {
    std::cout << "a gate needs two recordings that agree: run the scenario again, then\n"
              << "next:    tune baseline set RUN --name " << name << "\n";
  } else {
    std::cout << "next:    tune gate FILE --baseline stored:" << name << "\n";
  }
  return ExitCode::fine;
}

std::string values_text(const StoredBaseline& baseline) {
  std::string text;
  for (const gate::Recording& recording : baseline.recordings) {
    text += recording.utc + "  " + recording.run + "\n";
    for (const std::string& metric : gate::metric_names(false)) {
      std::vector<double> values;
      for (const gate::ProcessSummary& process : recording.processes) {
        const auto value = process.values.find(metric);
        if (value != process.values.end()) {
          values.push_back(value->second);
        }
      }
      if (!values.empty()) {
        const auto n = static_cast<std::int64_t>(values.size());
        text +=
            "  " + metric + "  " +
            report::metric_text(stats::median(std::move(values)), gate::find_metric(metric)->unit) +
            "  (median, n = " + std::to_string(n) + ")\n";
      }
    }
  }
  return text;
}

ExitCode show(const Flags& flags) {
  GateRequest request{.baseline = flags.run};
  choose_stored_baseline(request);
  const StoredBaseline baseline = load_stored(request);
  if (flags.as_json) {
    std::cout << gate::to_json(baseline);
    return ExitCode::fine;
  }
  const gate::Fingerprint& print = baseline.fingerprint;
  std::cout << "baseline  " << baseline.name << "\nscenario  " << baseline.scenario
            << "\nsetting   " << baseline.setting << "\nmachine   " << print.cpu_model << ", "
            << print.cpus << " CPUs, LibTorch " << print.torch_version << "\n"
            << values_text(baseline);
  return ExitCode::fine;
}

// One line of `tune baseline list`.
struct Listed {
  std::string name, scenario, last_utc;
  std::size_t recordings = 0;
  std::string text;     // how many recordings there are, for people
  std::string problem;  // why it cannot be used; "" when it can
};

std::vector<Listed> listed_baselines() {
  const auto folder = machine::data_folder();
  std::vector<Listed> all;
  for (const std::string& name : gate::baseline_names(folder)) {
    Listed line{.name = name};
    try {
      const StoredBaseline baseline = gate::load_baseline(folder, name);
      line.scenario = baseline.scenario;
      line.recordings = baseline.recordings.size();
      line.last_utc = baseline.recordings.empty() ? "" : baseline.recordings.back().utc;
      line.text = recordings_text(baseline);
    } catch (const Error& error) {
      line.problem = error.what();
    }
    all.push_back(std::move(line));
  }
  return all;
}

void print_json(const std::vector<Listed>& all) {
  auto list = nlohmann::ordered_json::array();
  for (const Listed& line : all) {
    list.push_back({{"name", line.name},
                    {"scenario", line.scenario},
                    {"recordings", line.recordings},
                    {"last", line.last_utc},
                    {"problem", line.problem}});
  }
  std::cout << nlohmann::ordered_json{{"baselines", list}}.dump(
                   2, ' ', false, nlohmann::ordered_json::error_handler_t::replace)
            << '\n';
}

ExitCode list(const Flags& flags) {
  const std::vector<Listed> all = listed_baselines();
  if (flags.as_json) {
    print_json(all);
    return ExitCode::fine;
  }
  if (all.empty()) {
    std::cerr << "there is no baseline yet: tune baseline set RUN\n";
  }
  for (const Listed& line : all) {
    if (flags.as_plain) {
      std::cout << plain_row(
          {line.name, line.scenario, std::to_string(line.recordings), line.last_utc, line.problem});
    } else if (line.problem.empty()) {
      std::cout << line.name << "  " << line.text
                << (line.last_utc.empty() ? "" : ", last " + line.last_utc) << "\n";
    } else {
      std::cout << line.name << "  cannot be used: " << line.problem << "\n";
    }
  }
  return ExitCode::fine;
}

ExitCode remove(const Flags& flags) {
  const auto file = gate::baseline_file(machine::data_folder(), flags.run);
  std::error_code failed;
  if (flags.dry_run && std::filesystem::exists(file, failed)) {
    std::cout << "would remove " << file.string() << "\n";
    return ExitCode::fine;
  }
  if (flags.dry_run || !std::filesystem::remove(file, failed) || failed) {
    gate::load_baseline(machine::data_folder(), flags.run);  // says what is near
    throw Error(Error::Parts{file.string(), "cannot be removed", failed.message(), ""});
  }
  std::cout << "removed " << file.string() << "\n";
  return ExitCode::fine;
}

}  // namespace

void add_baseline(CLI::App& app, Invocation& invocation) {
  CLI::App& command =
      add_command(app,
                  {"baseline",
                   "Keeps the numbers of a run, for gates on the same machine that measure the "
                   "candidate only. Two recordings must agree before one can gate with them.",
                   {"tune baseline set tune-runs/latest --name nightly",
                    "tune gate scenarios/mlp.yaml --baseline nightly"}});
  command.require_subcommand(1);
  const auto flags = std::make_shared<Flags>();
  const auto does = [&invocation, flags](ExitCode (*act)(const Flags&)) {
    return [&invocation, flags, act] {
      invocation.run = [flags, act] { return with_incomparable([&] { return act(*flags); }); };
    };
  };
  CLI::App& set_command = add_command(command,
                                      {"set",
                                       "Adds what a run measured to a baseline",
                                       {"tune baseline set tune-runs/latest --name nightly",
                                        "tune baseline set tune-runs/latest --cell c07 --force"}});
  set_command.add_option("RUN", flags->run, "Directory of a run or of a gate")->required();
  set_command.add_option("--name", flags->name, "Instead of the scenario's name");
  set_command.add_option("--from", flags->from, "The run; then the first word is the name");
  set_command.add_option("--cell", flags->cell, "baseline, candidate, c07, ...");
  set_command.add_flag("--force", flags->force, "Begin the baseline again, without what it holds");
  set_command.add_flag("-n,--dry-run", flags->dry_run, "Say what would be stored, write nothing");
  set_command.callback(does(set));
  CLI::App& show_command = add_command(
      command,
      {"show",
       "Where it was measured, and its medians. With --json all of it, which "
       "`tune gate --baseline FILE` takes as well: an artefact for another job",
       {"tune baseline show nightly", "tune baseline show nightly --json >nightly.json"}});
  show_command.add_option("NAME", flags->run, "Of the baseline, or a file of one")->required();
  show_command.add_flag("--json", flags->as_json, "The whole file");
  show_command.callback(does(show));
  CLI::App& list_command = add_command(
      command,
      {"list", "Names and ages", {"tune baseline list", "tune baseline list --plain | cut -f1"}});
  CLI::Option* const json = list_command.add_flag("--json", flags->as_json, "One JSON document");
  list_command
      .add_flag(
          "--plain", flags->as_plain, "Tab-separated: name, scenario, recordings, last, problem")
      ->excludes(json);
  list_command.callback(does(list));
  CLI::App& rm_command = add_command(
      command,
      {"rm", "Forgets it", {"tune baseline rm nightly", "tune baseline rm stored-on-friday"}});
  rm_command.add_option("NAME", flags->run, "Of the baseline")->required();
  rm_command.add_flag("-n,--dry-run", flags->dry_run, "Say what would be removed, remove nothing");
  rm_command.callback(does(remove));
}

}  // namespace tune::cli
