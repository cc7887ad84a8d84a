#include "base/error.h"
#include "base/fields.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/flags.h"
#include "cli/history_upkeep.h"
#include "cli/history_view.h"
#include "cli/keep_history.h"
#include "report/prediction_text.h"
#include "report/render_blocks.h"
#include "report/result_of.h"

#include <CLI/App.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <set>
#include <unistd.h>

namespace tune::cli {

namespace {

using history::Entry;
using history::Store;

struct Flags {
  std::string scenario, metric = "throughput", id, output = "-";
  std::vector<std::string> ids, places;
  std::int64_t limit = 20;
  bool all = false, predictions = false, as_json = false;
  GcRequest gc;
  ColorWish color = ColorWish::automatic;
};

// Nothing of this scenario: which there are.
ExitCode tell_nothing(const Store& store, const std::string& scenario) {
  const std::string near = did_you_mean(scenario, store.scenarios());
  std::cerr << "no run of scenario '" << scenario << "' is in the history"
            << (near.empty() ? "" : ": " + near + "?") << "\n";
  return ExitCode::nothing_matched;
}

bool has_no_points(const history::Series& series) {
  return series.points.empty();
}

ExitCode show_trends(const Flags& flags) {
  const auto store = readable_history();
  std::vector<history::Series> series;
  if (store) {
    series = store->series({.metric = flags.metric, .scenario = flags.scenario});
    if (series.empty() && !flags.scenario.empty()) {
      return tell_nothing(*store, flags.scenario);
    }
  }
  if (flags.as_json) {
    std::cout << overview_json(
        series, flags.metric, store ? store->file() : std::filesystem::path());
    return ExitCode::fine;
  }
  if (series.empty()) {
    tell_empty_history();
    return ExitCode::fine;
  }
  const bool is_known = !std::all_of(series.begin(), series.end(), has_no_points);
  std::cout << overview_text({.series = series, .with_all = flags.all},
                             look_at(STDOUT_FILENO, flags.color));
  if (!is_known) {
    std::cerr << "no run measured '" << flags.metric
              << "': tune history show NUMBER names what a run has measured\n";
  }
  return is_known ? ExitCode::fine : ExitCode::nothing_matched;
}

ExitCode show_predictions(const Flags& flags) {
  advice::PredictionHistory history;
  if (const auto store = readable_history()) {
    history.predictions = store->predictions(flags.scenario);
    std::set<std::string> runs;
    for (const advice::JudgedPrediction& prediction : history.predictions) {
      runs.insert(prediction.run);
    }
    history.runs.assign(runs.begin(), runs.end());
  }
  if (flags.as_json) {
    std::cout << to_value(report::quality_of(history))
                     .dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)
              << '\n';
  } else {
    const result::PredictionQuality quality = report::quality_of(history);
    std::cout << report::history_words(quality) << '\n';
    if (!history.predictions.empty()) {
      std::cout << '\n'
                << to_lines(report::quality_table(quality)) << '\n'
                << report::quality_note() << '\n';
    }
  }
  return history.predictions.empty() ? ExitCode::nothing_matched : ExitCode::fine;
}

ExitCode list_runs(const Flags& flags) {
  const auto store = readable_history();
  std::vector<Entry> entries;
  if (store) {
    entries = store->entries({.scenario = flags.scenario, .limit = flags.all ? 0 : flags.limit});
    if (entries.empty() && !flags.scenario.empty()) {
      return tell_nothing(*store, flags.scenario);
    }
  }
  if (flags.as_json) {
    std::cout << entries_json(entries, store ? store->file() : std::filesystem::path());
  } else if (entries.empty()) {
    tell_empty_history();
  } else {
    std::cout << entries_table(entries, look_at(STDOUT_FILENO, flags.color));
  }
  return ExitCode::fine;
}

// By its number, or by its directory.
Entry find_run(const Store& store, const std::string& id) {
  std::error_code failed;
  if (std::filesystem::is_directory(id, failed)) {
    const std::string place = std::filesystem::canonical(id, failed).string();
    for (const Entry& entry : store.entries({})) {
      if (entry.directory == place) {
        return entry;
      }
    }
    throw Error(Error::Parts{
        id, "is not in the history", "no entry has this directory", "tune history import " + id});
  }
  const std::int64_t number = parse_run_number("tune history show", id);
  std::vector<Entry> found = store.entries({.id = number});
  if (found.empty()) {
    throw Error(Error::Parts{"tune history show " + std::to_string(number),
                             "is not in the history",
                             "it was forgotten, or never there",
                             "tune history list"});
  }
  return found.front();
}

ExitCode show_run(const Flags& flags) {
  const auto store = readable_history();
  if (!store) {
    tell_empty_history();
    return ExitCode::nothing_matched;
  }
  const Entry entry = find_run(*store, flags.id);
  std::cout << (flags.as_json ? entry_document(entry) : entry_text(entry));
  return ExitCode::fine;
}

using Action = ExitCode (*)(const Flags& flags);

struct Commands {
  CLI::App& history;
  Invocation& invocation;
  std::shared_ptr<Flags> flags;

  CLI::App& add(const CommandText& text, Action action) const {
    CLI::App& command = add_command(history, text);
    command.callback([&chosen = invocation, shared = flags, action] {
      chosen.run = [&chosen, shared, action] {
        shared->color = chosen.color;
        return action(*shared);
      };
    });
    return command;
  }
};

void add_reading(const Commands& commands) {
  Flags& flags = *commands.flags;
  CLI::App& list =
      commands.add({"list",
                    "Lists runs and gates, newest first: number, start, rate of the scenario's "
                    "baseline, gain (of a gate: change of its candidate), answer.",
                    {"tune history list", "tune history list --scenario mlp --limit 50"}},
                   list_runs);
  list.add_option("--limit", flags.limit, "At most so many; --all: no limit")
      ->type_name("N")
      ->check(CLI::Range(1, 1'000'000));
  CLI::App& show = commands.add({"show",
                                 "Everything that is kept of one run.",
                                 {"tune history show 41", "tune history show tune-runs/latest"}},
                                show_run);
  show.add_option("RUN", flags.id, "Its number, or its directory")->required();
}

void add_upkeep(const Commands& commands) {
  Flags& flags = *commands.flags;
  CLI::App& forget =
      commands.add({"rm",
                    "Forgets runs. Their directories stay, and can be imported again.",
                    {"tune history rm 41", "tune history rm 41 42"}},
                   [](const Flags& asked) { return forget_runs(asked.ids, asked.gc.dry_run); });
  forget.add_option("RUN", flags.ids, "Numbers of runs")->required();
  forget.add_flag("-n,--dry-run", flags.gc.dry_run, "Only say how many would go");
  CLI::App& gc = commands.add(
      {"gc",
       "Forgets runs by age, by number, or because their directory is gone, and gives unused room "
       "back; without a flag it does only that.",
       {"tune history gc --keep 200", "tune history gc --missing -n"}},
      [](const Flags& asked) { return collect_garbage(asked.gc); });
  gc.add_option("--keep", flags.gc.keep, "So many of the newest of each series stay")
      ->type_name("N");
  gc.add_option("--before", flags.gc.before, "What began before this day goes")->type_name("DATE");
  gc.add_flag("--missing", flags.gc.missing, "What has no run directory any more goes");
  gc.add_flag("-n,--dry-run", flags.gc.dry_run, "Only say how many would go");
}

void add_transfer(const Commands& commands) {
  Flags& flags = *commands.flags;
  CLI::App& out = commands.add(
      {"export",
       "Writes the history as lines of JSON, for another machine or for your own evaluation.",
       {"tune history export -o history.jsonl", "tune history export --scenario mlp"}},
      [](const Flags& asked) { return export_history(asked.scenario, asked.output); });
  out.add_option("-o,--output", flags.output, "File to write; - is standard output");
  CLI::App& in = commands.add(
      {"import",
       "Adds runs from run directories, folders of them, and exports. What is known already is "
       "brought up to date, so it may be repeated; exit code 6 when something could not be read.",
       {"tune history import tune-runs", "tune history import history.jsonl"}},
      [](const Flags& asked) { return import_history(asked.places, asked.gc.dry_run); });
  in.add_option("PATH", flags.places, "Run directories, folders of them, exports")->required();
  in.add_flag("-n,--dry-run", flags.gc.dry_run, "Only say how many would be read");
}

}  // namespace

void add_history(CLI::App& app, Invocation& invocation) {
  CLI::App& history = add_command(
      app,
      {"history",
       "Shows the runs and gates of this user over time: for each scenario and class of machine "
       "the rate of the scenario's baseline, and where its level changed. Kept in one SQLite file "
       "in the folder for data (tune help environment), which run directories can rebuild.",
       {"tune history", "tune history --scenario mlp --metric peak_memory_bytes"}});
  history.require_subcommand(0, 1);  // else a folder called list is taken for the command
  const auto flags = std::make_shared<Flags>();
  history.add_option("--scenario", flags->scenario, "Only runs of this one")->type_name("NAME");
  history.add_option("--metric", flags->metric, "Another number of the baseline, e.g. epoch_time")
      ->type_name("NAME");
  history.add_flag(
      "--all", flags->all, "Also runs of other texts, data and settings; of list: all runs");
  history.add_flag(
      "--predictions", flags->predictions, "How good the predictions of the rules were");
  history.add_flag("--json", flags->as_json, "One JSON document");
  history.callback([&history, &invocation, flags] {
    if (history.get_subcommands().empty()) {
      invocation.run = [&invocation, flags] {
        flags->color = invocation.color;
        return flags->predictions ? show_predictions(*flags) : show_trends(*flags);
      };
    }
  });
  const Commands commands{history, invocation, flags};
  add_reading(commands);
  add_upkeep(commands);
  add_transfer(commands);
}

}  // namespace tune::cli
