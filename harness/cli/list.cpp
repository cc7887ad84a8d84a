#include "cli/list.h"

#include "base/columns.h"
#include "base/error.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/flags.h"
#include "cli/terminal.h"
#include "dataset/generated_spec.h"
#include "machine/telemetry/host_metrics.h"
#include "measure/gate/policy.h"
#include "report/markup.h"
#include "scenario/scenario.h"
#include "trace/metric/trace_metrics.h"
#include "trace/timeline.h"
#include "trial/knob_catalog.h"
#include "trial/workload_catalog.h"

#include <CLI/App.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <iostream>
#include <memory>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace tune::cli {

namespace fs = std::filesystem;

namespace {

using Json = nlohmann::ordered_json;

// Hidden ones and the working trees of git are no scenarios; links are not followed.
std::vector<fs::path> yaml_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code failed;
  auto entry = fs::recursive_directory_iterator(
      folder, fs::directory_options::skip_permission_denied, failed);
  for (; !failed && entry != fs::recursive_directory_iterator(); entry.increment(failed)) {
    std::error_code unknown;
    if (entry->path().filename().string().starts_with('.')) {
      entry.disable_recursion_pending();
    } else if (entry->path().extension() == ".yaml" && entry->is_regular_file(unknown)) {
      files.push_back(entry->path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

Json scenario_entry(const fs::path& file) {
  Json entry = {{"file", file.string()},
                {"name", file.stem().string()},
                {"description", nullptr},
                {"problem", nullptr}};
  try {
    entry["description"] = scenario::load_scenario(file).description;
  } catch (const Error& error) {
    constexpr std::size_t kLongest = 200;
    const std::string all = error.what();
    entry["problem"] = shortened(all.substr(0, all.find('\n')), kLongest);
  }
  return entry;
}

std::string cell_text(const Json& value) {
  return value.is_string() ? one_line(value.get_ref<const std::string&>())
         : value.is_null() ? ""
                           : value.dump();
}

std::vector<std::vector<std::string>> rows_of(const Json& list) {
  std::vector<std::vector<std::string>> rows;
  for (const Json& entry : list) {
    std::vector<std::string>& row = rows.emplace_back();
    for (const auto& [key, value] : entry.items()) {
      row.push_back(cell_text(value));
    }
  }
  return rows;
}

}  // namespace

Json scenario_listing(const fs::path& folder) {
  std::error_code failed;
  if (!fs::is_directory(folder, failed)) {
    throw Error(Error::Parts{"tune list scenarios",
                             folder.string() + " is not a folder",
                             "scenarios that came with tune are in scenarios/ of its clone",
                             "tune list scenarios DIR"});
  }
  Json list = Json::array();
  for (const fs::path& file : yaml_files(folder)) {
    list.push_back(scenario_entry(file));
  }
  return list;
}

Json metric_listing() {
  Json list = Json::array();
  for (const gate::Metric& metric : gate::all_metrics()) {
    list.push_back({{"metric", metric.name},
                    {"unit", metric.unit},
                    {"of", metric.is_counted ? "gate, counted" : "gate, measured"},
                    {"what", metric.summary}});
  }
  const profile::Timeline nothing;
  for (const metric::Metric& metric : metric::trace_metrics(metric::examine(nothing))) {
    list.push_back(
        {{"metric", metric.id}, {"unit", metric.unit}, {"of", "trace"}, {"what", nullptr}});
  }
  for (const telemetry::HostMetric& metric : telemetry::host_metrics({})) {
    list.push_back(
        {{"metric", metric.id}, {"unit", metric.unit}, {"of", "machine"}, {"what", nullptr}});
  }
  return list;
}

Json profile_listing() {
  Json list = Json::array();
  for (const dataset::Profile& profile : dataset::profiles()) {
    list.push_back(
        {{"profile", profile.name}, {"mean_bytes", profile.mean_bytes}, {"what", profile.content}});
  }
  return list;
}

std::string listing_table(const Json& list, std::size_t width) {
  std::vector<std::vector<std::string>> rows = rows_of(list);
  if (rows.empty()) {
    return "";
  }
  std::vector<std::string> heading;
  for (const auto& [key, value] : list.front().items()) {
    heading.push_back(key);
  }
  rows.insert(rows.begin(), heading);
  std::vector<std::size_t> widths(heading.size(), 0);
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], columns(row[i]));
    }
  }
  std::string text;
  for (const auto& row : rows) {
    std::size_t last = row.size() - 1;
    while (last > 0 && row[last].empty()) {
      --last;
    }
    std::string head;
    for (std::size_t i = 0; i < last; ++i) {
      head += row[i] + std::string(widths[i] - columns(row[i]) + 2, ' ');
    }
    text += wrapped(head, row[last], width);
  }
  return text;
}

std::string listing_rows(const Json& list) {
  std::string text;
  for (const auto& row : rows_of(list)) {
    text += plain_row(row);
  }
  return text;
}

namespace {

using nlohmann::ordered_json;

std::string allowed_values(const trial::Knob& knob) {
  switch (knob.kind) {
    case trial::Knob::Kind::boolean:
      return "false, true";
    case trial::Knob::Kind::integer:
      return std::to_string(knob.min) + " to " + std::to_string(knob.max);
    case trial::Knob::Kind::cpu_list:
      return "CPU list";
    case trial::Knob::Kind::choice:
      break;
  }
  return joined(knob.choices);
}

void print_knobs(std::size_t width) {
  std::cout << padded("knob", 26) << padded("default", 9) << "values: what it does\n";
  for (const trial::Knob& knob : trial::all_knobs()) {
    const std::string usual = trial::to_text(knob.default_value);
    std::cout << wrapped(padded(knob.name, 26) + padded(usual.empty() ? "\"\"" : usual, 9),
                         allowed_values(knob) + ": " + knob.summary +
                             (knob.preserves_numerics ? "" : " (changes numerics)"),
                         width);
  }
}

void print_workloads(std::size_t width) {
  for (const trial::WorkloadEntry& workload : trial::all_workloads()) {
    std::cout << wrapped(
        padded(workload.name, 12) + padded(joined(workload.tasks), 14), workload.summary, width);
  }
}

ordered_json to_json(const trial::Knob& knob) {
  ordered_json json = {{"name", knob.name}, {"summary", knob.summary}};
  std::visit([&](const auto& plain) { json["default"] = plain; }, knob.default_value);
  switch (knob.kind) {
    case trial::Knob::Kind::boolean:
      json["kind"] = "boolean";
      break;
    case trial::Knob::Kind::integer:
      json["kind"] = "integer";
      json["min"] = knob.min;
      json["max"] = knob.max;
      break;
    case trial::Knob::Kind::choice:
      json["kind"] = "choice";
      json["choices"] = knob.choices;
      break;
    case trial::Knob::Kind::cpu_list:
      json["kind"] = "cpu-list";
      break;
  }
  json["preserves_numerics"] = knob.preserves_numerics;
  return json;
}

std::string sample_word(trial::SampleKind kind) {
  switch (kind) {
    case trial::SampleKind::image:
      return "image";
    case trial::SampleKind::masked_tokens:
      return "masked-tokens";
    case trial::SampleKind::next_tokens:
      return "next-tokens";
  }
  return "";
}

ordered_json params_of(const trial::WorkloadEntry& workload) {
  auto params = ordered_json::array();
  for (const trial::ModelParam& param : workload.params) {
    ordered_json json = {{"name", param.name}, {"summary", param.summary}};
    std::visit([&](const auto& plain) { json["default"] = plain; }, param.default_value);
    json["min"] = param.min;
    json["max"] = param.max;
    params.push_back(std::move(json));
  }
  return params;
}

void print_json(const std::string& what) {
  auto list = ordered_json::array();
  if (what == "knobs") {
    for (const trial::Knob& knob : trial::all_knobs()) {
      list.push_back(to_json(knob));
    }
  } else {
    for (const trial::WorkloadEntry& workload : trial::all_workloads()) {
      list.push_back({{"name", workload.name},
                      {"summary", workload.summary},
                      {"tasks", workload.tasks},
                      {"has_convolutions", workload.has_convolutions},
                      {"has_attention", workload.has_attention},
                      {"has_blocks", workload.has_blocks},
                      {"samples", sample_word(workload.samples)},
                      {"params", params_of(workload)}});
    }
  }
  std::cout << ordered_json{{what, list}}.dump(2) << '\n';
}

void print_rows(const std::string& what) {
  if (what == "knobs") {
    for (const trial::Knob& knob : trial::all_knobs()) {
      std::cout << plain_row({knob.name,
                              trial::to_text(knob.default_value),
                              allowed_values(knob),
                              knob.summary,
                              knob.preserves_numerics ? "preserving" : "changing"});
    }
  } else {
    for (const trial::WorkloadEntry& workload : trial::all_workloads()) {
      std::cout << plain_row({workload.name, joined(workload.tasks), workload.summary});
    }
  }
}

enum class Shown { table, rows, json };

std::size_t terminal_width() {
  return look_at(STDOUT_FILENO, ColorWish::never).width;
}

// The file of a scenario has its name.
ordered_json without_names(ordered_json entries) {
  for (ordered_json& entry : entries) {
    if (entry.contains("file")) {
      entry.erase("name");
    }
  }
  return entries;
}

void print_catalogue(const std::string& what, Shown shown) {
  if (shown == Shown::json) {
    print_json(what);
  } else if (shown == Shown::rows) {
    print_rows(what);
  } else if (what == "knobs") {
    print_knobs(terminal_width());
  } else {
    print_workloads(terminal_width());
  }
}

void print_listing(const std::string& what, const ordered_json& entries, Shown shown) {
  if (shown == Shown::json) {
    std::cout << ordered_json{{what, entries}}.dump(
                     2, ' ', false, ordered_json::error_handler_t::replace)
              << '\n';
  } else {
    std::cout << (shown == Shown::rows ? listing_rows(entries)
                                       : listing_table(without_names(entries), terminal_width()));
  }
}

const std::vector<std::string>& listed_words() {
  static const std::vector<std::string> words = {
      "knobs", "workloads", "scenarios", "metrics", "profiles"};
  return words;
}

struct ListRequest {
  std::string what, folder;
  bool as_json = false, as_plain = false;
};

ExitCode list_entries(const ListRequest& request) {
  const std::string& what = request.what;
  expect_word("tune list", what, listed_words());
  if (!request.folder.empty() && what != "scenarios") {
    throw Error(Error::Parts{"tune list " + what,
                             "takes no folder",
                             "only scenarios lie in one",
                             "tune list scenarios"});
  }
  const Shown shown = request.as_json ? Shown::json : request.as_plain ? Shown::rows : Shown::table;
  if (what == "knobs" || what == "workloads") {
    print_catalogue(what, shown);
    return ExitCode::fine;
  }
  const ordered_json entries =
      what == "metrics" ? metric_listing()
      : what == "profiles"
          ? profile_listing()
          : scenario_listing(request.folder.empty() ? "scenarios" : request.folder);
  print_listing(what, entries, shown);
  if (entries.empty()) {
    std::cerr << "no scenario (*.yaml) is there\n";
    return ExitCode::nothing_matched;
  }
  return ExitCode::fine;
}

}  // namespace

void add_list(CLI::App& app, Invocation& invocation) {
  CLI::App& command = add_command(
      app,
      {"list",
       "Lists what exists: knobs and workloads that a scenario may name, scenarios of a folder, "
       "metrics of gates, traces and the machine with their units, profiles of generated images.",
       {"tune list knobs", "tune list workloads --json", "tune list scenarios mine/"}});
  const auto request = std::make_shared<ListRequest>();
  command.add_option("WHAT", request->what, joined(listed_words()))
      ->required()
      ->type_name(one_of(listed_words()));
  command.add_option("DIR", request->folder, "Of scenarios: another folder than scenarios/");
  CLI::Option* const json = command.add_flag("--json", request->as_json, "One JSON document");
  command.add_flag("--plain", request->as_plain, "Tab-separated, without a heading")
      ->excludes(json);
  command.callback(
      [&invocation, request] { invocation.run = [request] { return list_entries(*request); }; });
}

}  // namespace tune::cli
