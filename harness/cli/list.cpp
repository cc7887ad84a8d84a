#include "cli/add_command.h"
#include "cli/commands.h"
#include "cli/expect_word.h"
#include "trial/knob_catalog.h"
#include "trial/workload_catalog.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>
#include <memory>

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
  std::string text;
  for (const std::string& choice : knob.choices) {
    text += (text.empty() ? "" : ", ") + choice;
  }
  return text;
}

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(text.size() + 1, width), ' ');
  return text;
}

void print_knobs() {
  std::cout << padded("knob", 20) << padded("default", 9) << padded("values", 24) << "\n";
  for (const trial::Knob& knob : trial::all_knobs()) {
    const std::string usual = trial::to_text(knob.default_value);
    std::cout << padded(knob.name, 20) << padded(usual.empty() ? "\"\"" : usual, 9)
              << padded(allowed_values(knob), 24) << knob.summary
              << (knob.preserves_numerics ? "" : " (changes numerics)") << '\n';
  }
}

void print_workloads() {
  for (const trial::WorkloadEntry& workload : trial::all_workloads()) {
    std::string tasks;
    for (const std::string& task : workload.tasks) {
      tasks += (tasks.empty() ? "" : ", ") + task;
    }
    std::cout << padded(workload.name, 12) << padded(tasks, 14) << workload.summary << '\n';
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
                      {"has_convolutions", workload.has_convolutions}});
    }
  }
  std::cout << ordered_json{{what, list}}.dump(2) << '\n';
}

ExitCode list(const std::string& what, bool as_json) {
  if (as_json) {
    print_json(what);
  } else if (what == "knobs") {
    print_knobs();
  } else {
    print_workloads();
  }
  return ExitCode::fine;
}

}  // namespace

void add_list(CLI::App& app, Invocation& invocation) {
  CLI::App& command = add_command(app,
                                  {"list",
                                   "Lists what a scenario may name: workloads or knobs.",
                                   {"tune list knobs", "tune list workloads --json"}});
  const auto what = std::make_shared<std::string>();
  const auto as_json = std::make_shared<bool>(false);
  command.add_option("WHAT", *what, "workloads or knobs")->required();
  command.add_flag("--json", *as_json, "One JSON document");
  command.callback([&invocation, what, as_json] {
    invocation.run = [what, as_json] {
      expect_word("tune list", *what, {"knobs", "workloads"});
      return list(*what, *as_json);
    };
  });
}

}  // namespace tune::cli
