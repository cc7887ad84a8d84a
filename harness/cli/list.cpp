#include "base/error.h"
#include "base/text.h"
#include "cli/add_command.h"
#include "cli/commands.h"
#include "cli/expect_word.h"
#include "cli/listing.h"
#include "cli/padded.h"
#include "cli/plain_row.h"
#include "trial/knob_catalog.h"
#include "trial/workload_catalog.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <iostream>
#include <memory>
#include <utility>

namespace tune::cli {

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

void print_knobs() {
  std::cout << padded("knob", 26) << padded("default", 9) << padded("values", 24) << "\n";
  for (const trial::Knob& knob : trial::all_knobs()) {
    const std::string usual = trial::to_text(knob.default_value);
    std::cout << padded(knob.name, 26) << padded(usual.empty() ? "\"\"" : usual, 9)
              << padded(allowed_values(knob), 24) << knob.summary
              << (knob.preserves_numerics ? "" : " (changes numerics)") << '\n';
  }
}

void print_workloads() {
  for (const trial::WorkloadEntry& workload : trial::all_workloads()) {
    std::cout << padded(workload.name, 12) << padded(joined(workload.tasks), 14) << workload.summary
              << '\n';
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

void print_catalogue(const std::string& what, Shown shown) {
  if (shown == Shown::json) {
    print_json(what);
  } else if (shown == Shown::rows) {
    print_rows(what);
  } else if (what == "knobs") {
    print_knobs();
  } else {
    print_workloads();
  }
}

void print_listing(const std::string& what, const ordered_json& entries, Shown shown) {
  if (shown == Shown::json) {
    std::cout << ordered_json{{what, entries}}.dump(
                     2, ' ', false, ordered_json::error_handler_t::replace)
              << '\n';
  } else {
    std::cout << (shown == Shown::rows ? listing_rows(entries) : listing_table(entries));
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
